package import Varlink

/// The reply to `List`.
package struct Accounts: Sendable {
    package var accounts: [Account]

    package init(accounts: [Account]) {
        self.accounts = accounts
    }
}

extension Accounts: WireValue {
    package init(from json: inout JSONReader) throws(ParameterError) {
        var accounts: [Account]?
        try json.readObject { field, json throws(ParameterError) in
            switch field {
            case "accounts": accounts = try json.readOptional()
            default: throw ParameterError(field)
            }
        }
        self.init(accounts: try accounts.required("accounts"))
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("accounts", accounts)
        }
    }
}
