import BiologinAPI
import Testing
import Varlink

private let definition = InterfaceDefinition.ofThisModule

struct InterfaceTests {
    @Test func namesEveryMethodAndError() {
        #expect(LoginInterface.Method.allCases.map(\.rawValue) == definition.methods.map(\.name))
        #expect(LoginErrorName.allCases.map(\.rawValue) == definition.errors.map(\.name))
        #expect(LoginErrorName.allCases.map(\.code) == definition.errors.map(\.code))
    }

    @Test func saysWhoseNamesTheyAre() {
        #expect(LoginInterface.description.contains("\ninterface \(LoginInterface.name)\n"))
        #expect(LoginInterface.Method(qualifiedName: "org.biologin.Login.Open") == .open)
        #expect(LoginInterface.Method(qualifiedName: "org.biologin.Other.Open") == nil)
        #expect(LoginErrorName(qualifiedName: "org.biologin.Login.Busy") == .busy)
        #expect(LoginErrorName(qualifiedName: "Busy") == nil)
    }

    @Test(arguments: InterfaceObject.all, [true, false]) func writesWhatItRead(_ object: InterfaceObject, full: Bool)
        throws
    {
        let text = definition.sample(object.fields, full: full).text
        #expect(try object.copy(text) == text)
    }

    @Test(arguments: InterfaceObject.all) func takesNullForAbsent(_ object: InterfaceObject) throws {
        let minimal = definition.sample(object.fields, full: false)
        for field in object.fields {
            guard case .optional = field.shape else { continue }
            #expect(try object.copy(minimal.with(field.name, .scalar("null")).text) == minimal.text)
        }
    }

    @Test(arguments: InterfaceObject.all) func refusesAnUnknownField(_ object: InterfaceObject) {
        let text = definition.sample(object.fields, full: true).with("surplus", .scalar("null")).text
        #expect(refusal(of: text, by: object) == "surplus")
    }

    @Test(arguments: InterfaceObject.all) func refusesAMissingField(_ object: InterfaceObject) {
        let full = definition.sample(object.fields, full: true)
        for field in object.fields {
            if case .optional = field.shape { continue }
            #expect(refusal(of: full.without(field.name).text, by: object) == field.name)
            #expect(refusal(of: full.with(field.name, .scalar("null")).text, by: object) == field.name)
        }
    }

    @Test(arguments: InterfaceObject.all) func refusesAValueOfAnotherKind(_ object: InterfaceObject) {
        let full = definition.sample(object.fields, full: true)
        for field in object.fields {
            for mistake in definition.mistakes(for: field.shape) {
                let name = refusal(of: full.with(field.name, mistake).text, by: object)
                #expect(
                    name.map { $0 == field.name || $0.hasPrefix("\(field.name).") || $0.hasPrefix("\(field.name)[") }
                        == true, "\(field.name): \(mistake.text)")
            }
        }
    }

    @Test(arguments: InterfaceObject.all) func knowsEveryNameOfAnEnumeration(_ object: InterfaceObject) throws {
        let full = definition.sample(object.fields, full: true)
        for field in object.fields {
            for name in definition.names(field.shape) {
                let text = full.with(field.name, .scalar("\"\(name)\"")).text
                #expect(try object.copy(text) == text)
            }
        }
    }

    private func refusal(of text: String, by object: InterfaceObject) -> String? {
        do { _ = try object.copy(text) } catch { return (error as? ParameterError)?.name }
        return nil
    }
}

extension InterfaceDefinition {
    fileprivate func names(_ shape: Shape) -> [String] {
        switch shape {
        case .names(let names): names
        case .optional(let shape): names(shape)
        case .named(let name): types[name].map(names) ?? []
        default: []
        }
    }
}
