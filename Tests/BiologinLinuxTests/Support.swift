extension AsyncStream {
    @discardableResult func next() async -> Element? {
        var iterator = makeAsyncIterator()
        return await iterator.next(isolation: #isolation)
    }
}
