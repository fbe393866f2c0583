/// Lets one in at a time, in the order of their coming. It belongs to one actor, which is why it needs no lock.
struct WaitingLine {
    struct Place: Hashable { fileprivate let number: Int }

    private struct Entry {
        let place: Place
        let caller: Caller?
        var call: (@Sendable () -> Void)?
    }

    /// The first is inside.
    private var line: [Entry] = []
    private var counter = 0

    var isEmpty: Bool { line.isEmpty }

    /// For whom the one inside joined.
    var holder: Caller? { line.first?.caller }

    /// How many wait behind the one inside.
    var waiting: Int { max(0, line.count - 1) }

    /// A place for one who comes now and joins the line later: it stands before whoever comes after.
    mutating func reserve() -> Place {
        counter += 1
        return Place(number: counter)
    }

    /// A place inside, or in the line. Every place is left with `leave`.
    mutating func join(_ place: Place, for caller: Caller? = nil) {
        let behind = line.dropFirst().firstIndex { $0.place.number > place.number }
        line.insert(Entry(place: place, caller: caller), at: behind ?? line.endIndex)
    }

    mutating func join() -> Place {
        let place = reserve()
        join(place)
        return place
    }

    func isInside(_ place: Place) -> Bool { line.first?.place == place }

    /// Calls `call` once, as soon as the place is inside: now, or in the course of another's `leave`.
    mutating func whenInside(_ place: Place, _ call: @escaping @Sendable () -> Void) {
        if isInside(place) { return call() }
        for index in line.indices where line[index].place == place { line[index].call = call }
    }

    mutating func leave(_ place: Place) {
        let wasInside = isInside(place)
        line.removeAll { $0.place == place }
        if wasInside { line.first?.call?() }
    }
}
