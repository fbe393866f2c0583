import TestSupport
import Testing

@testable import Varlink

/// Clients that others wrote, against this server.
@Suite(.otherClients, .timeLimit(.minutes(5))) struct OtherClientsTests {
    @Test func showsInfoOnTheCommandLine() async throws {
        let ending = try await cli { ["info", "unix:\($0)"] }
        #expect(
            ending.text == """
                Vendor: Example
                Product: Lab
                Version: 1
                URL: https://example.org/
                Interfaces:
                   org.varlink.service
                   org.example.lab

                """)
        #expect(ending.status == 0)
    }

    @Test(arguments: [("org.example.lab", LabService.text), (ServiceInterface.name, ServiceInterface.description)])
    func showsAnInterfaceOnTheCommandLine(_ name: String, _ text: String) async throws {
        let ending = try await cli { ["help", "unix:\($0)/\(name)"] }
        #expect(ending.text == text + "\n")
        #expect(ending.status == 0)
    }

    @Test func callsOnTheCommandLine() async throws {
        let ending = try await cli { ["call", "unix:\($0)/org.example.lab.Echo", #"{"text":"ä","flag":true}"#] }
        #expect(ending.text == "{\n  \"flag\": true,\n  \"text\": \"\\u00e4\"\n}\n")
        #expect(ending.status == 0)
    }

    @Test func showsRepliesOnTheCommandLineAsTheyCome() async throws {
        let ending = try await cli { ["call", "--more", "unix:\($0)/org.example.lab.Count", #"{"to":2}"#] }
        #expect(ending.text == "{\n  \"number\": 1\n}\n{\n  \"number\": 2\n}\n")
    }

    @Test func showsAnErrorOnTheCommandLine() async throws {
        let ending = try await cli { ["call", "unix:\($0)/org.example.lab.Echo", "{}"] }
        #expect(ending.errors.contains("org.varlink.service.InvalidParameter"))
        #expect(ending.errors.contains("text"))
    }

    @Test func understandsTheVarlinkPackage() async throws {
        try await python(
            """
            import sys, varlink
            with varlink.Client.new_with_address("unix:" + sys.argv[1]) as client, client.open("org.example.lab") as lab:
                item = {"name": "n", "color": "green", "tags": ["a", "b"]}
                assert lab.Echo("x", 7, None, item) == {"text": "x", "number": 7, "item": item}
                assert [reply["number"] for reply in lab.Count(3, _more=True)] == [1, 2, 3]
                try:
                    lab.Break(7)
                    assert False
                except varlink.VarlinkError as error:
                    assert error.error() == "org.example.lab.Broken", error.error()
                    assert error.parameters() == {"code": 7}, error.parameters()
                try:
                    lab.Dream()
                    assert False
                except varlink.MethodNotImplemented as error:
                    assert error.parameters()["method"] == "org.example.lab.Dream"
                lab.Count(1, _oneway=True)
                assert lab.Echo("next", None, None, None)["text"] == "next"
            """)
    }

    @Test func understandsTheAsyncvarlinkPackage() async throws {
        try await python(
            """
            import asyncio, collections.abc, enum, sys, typing
            from asyncvarlink import *
            from asyncvarlink.serviceinterface import VarlinkServiceInterface

            class Color(enum.Enum):
                red = "red"
                green = "green"
                blue = "blue"

            class Item(typing.TypedDict):
                name: str
                color: Color | None
                tags: list[str]

            class Echoed(typing.TypedDict):
                text: str
                number: int | None
                flag: bool | None
                item: Item | None

            class Lab(VarlinkInterface, name="org.example.lab"):
                @varlinkmethod
                def Echo(self, *, text: str, number: int | None = None, flag: bool | None = None,
                         item: Item | None = None) -> Echoed: ...
                @varlinkmethod(return_parameter="number")
                def Count(self, *, to: int) -> collections.abc.Iterator[int]: ...
                @varlinkmethod
                def Break(self, *, code: int) -> None: ...

            async def main():
                transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
                service = protocol.make_proxy(VarlinkServiceInterface)
                info = await service.GetInfo()
                assert info["interfaces"] == ["org.varlink.service", "org.example.lab"], info
                described = await service.GetInterfaceDescription(interface="org.example.lab")
                assert "method Echo" in str(described)
                lab = protocol.make_proxy(Lab)
                item = {"name": "n", "color": Color.blue, "tags": ["a"]}
                echoed = await lab.Echo(text="x", item=item)
                assert echoed["item"] == item and echoed["text"] == "x" and echoed.get("number") is None, echoed
                assert [reply async for reply in lab.Count(to=3)] == [{"number": n} for n in (1, 2, 3)]
                calls = [protocol.call(VarlinkMethodCall("org.example.lab.Echo", {"text": str(n)})) for n in range(50)]
                replies = [reply.parameters["text"] for reply, _ in await asyncio.gather(*calls)]
                assert replies == [str(n) for n in range(50)]
                try:
                    await lab.Break(code=7)
                    assert False
                except VarlinkErrorReply as error:
                    assert error.name == "org.example.lab.Broken", error.name
                    assert error.parameters == {"code": 7}, error.parameters
                transport.close()

            asyncio.run(main())
            """)
    }

    private func cli(_ arguments: (String) -> [String]) async throws -> Program.Ending {
        try await run { ["-m", "varlink.cli"] + arguments($0) }
    }

    private func python(_ script: String) async throws {
        let ending = try await run { ["-c", script, $0] }
        #expect(ending.status == 0, "\(ending.errors)")
    }

    private func run(_ arguments: (String) -> [String]) async throws -> Program.Ending {
        let python = try #require(Program.environment["BIOLOGIN_PYTHON"], "unset; `make test` sets it")
        var ending: Program.Ending?
        try await Lab.run { lab in
            try await lab.withSocket { path in ending = try await Program.run(python, arguments(path)) }
        }
        return try #require(ending)
    }
}
