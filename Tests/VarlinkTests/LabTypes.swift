import Varlink

/// What `Echo` takes and gives back.
struct Echo {
    struct Item {
        var name: String
        var color: String?
        var tags: [String]
    }

    var text: String
    var number: Int?
    var flag: Bool?
    var item: Item?

    init(from reader: inout JSONReader) throws(ParameterError) {
        var text: String?
        var number: Int?
        var flag: Bool?
        var item: Item?
        try reader.readObject { name, value throws(ParameterError) in
            if name != "text", value.readNull() { return }
            switch name {
            case "text": text = try value.readString()
            case "number": number = try value.readInt()
            case "flag": flag = try value.readBool()
            case "item": item = try Item(from: &value)
            default: throw ParameterError(name)
            }
        }
        guard let text else { throw ParameterError("text") }
        (self.text, self.number, self.flag, self.item) = (text, number, flag, item)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("text", text)
            writer.field("number", number)
            if let flag {
                writer.name("flag")
                writer.bool(flag)
            }
            if let item {
                writer.name("item")
                item.write(to: &writer)
            }
        }
    }
}

extension Echo.Item {
    init(from reader: inout JSONReader) throws(ParameterError) {
        var name: String?
        var color: String?
        var tags: [String]?
        try reader.readObject { field, value throws(ParameterError) in
            switch field {
            case "name": name = try value.readString()
            case "color":
                if value.readNull() { return }
                color = try value.readString()
                guard ["red", "green", "blue"].contains(color) else { throw ParameterError("color") }
            case "tags":
                var read: [String] = []
                try value.readArray { element throws(ParameterError) in read.append(try element.readString()) }
                tags = read
            default: throw ParameterError(field)
            }
        }
        guard let name else { throw ParameterError("name") }
        guard let tags else { throw ParameterError("tags") }
        self.init(name: name, color: color, tags: tags)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("color", color)
            writer.name("tags")
            writer.array { writer in
                for tag in tags { writer.string(tag) }
            }
        }
    }
}
