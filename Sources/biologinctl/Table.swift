/// Columns of text, as wide as they need to be.
enum Table {
    /// Two columns: what it is, and its value.
    static func of(_ facts: [(name: String, value: String)]) -> [String] {
        rows(facts.map { [$0.name, $0.value] })
    }

    /// Columns, two spaces apart.
    static func rows(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return cells.joined()
        }
    }
}
