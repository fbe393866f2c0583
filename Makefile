# `make demo` and `make test` each do all their own set-up, Debian's packages included (as root, or with sudo).
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR = $(PREFIX)/bin
LIBEXECDIR = $(PREFIX)/libexec
UNITDIR = $(PREFIX)/lib/systemd/user
SYSTEMUNITDIR = $(PREFIX)/lib/systemd/system
INTERFACEDIR = $(PREFIX)/share/varlink

PROGRAMS = biologind biologinctl
# Those of the system, which nobody starts by hand.
SERVICES = biologin-enrollmentd
PACKAGES = libglib2.0-dev libsecret-1-dev libsodium-dev libsystemd-dev pkg-config \
    dbus fprintd gir1.2-gcr-3 gnome-keyring keepassxc libglib2.0-bin libsecret-tools polkitd python3-gi python3-venv shellcheck systemd

SWIFT = swift
SWIFTFLAGS = --explicit-target-dependency-import-check error
RELEASEFLAGS = $(SWIFTFLAGS) --configuration release --static-swift-stdlib -Xlinker -z -Xlinker now
RELEASE = .build/release
PYTHON = .build/python

# Many of them are whole desktops: more at once would wait for each other longer than they may.
TESTS_AT_ONCE = 4

# What `systemd-analyze security` may find at most, in tenths. Half of what it looks for has no effect in a user manager.
USER_EXPOSURE = 60
SYSTEM_EXPOSURE = 15

.PHONY: build test lint demo docs deps install uninstall lint-swift lint-shell lint-units
build: deps
	for program in $(PROGRAMS) $(SERVICES); do $(SWIFT) build $(RELEASEFLAGS) --product $$program || exit; done

test: deps $(PYTHON)/installed
	BIOLOGIN_PYTHON=$(CURDIR)/$(PYTHON)/bin/python $(SWIFT) test $(SWIFTFLAGS) \
	    --experimental-maximum-parallelization-width $(TESTS_AT_ONCE)

demo: build
	Tests/TestSupport/demo $(RELEASE)

# The documentation of BiologinClient, as a website in $(DOCS).
DOCS = .build/docs
SYMBOLS = .build/documented/symbols
docs: deps
	rm -rf .build/documented && mkdir -p $(SYMBOLS)
	$(SWIFT) build $(SWIFTFLAGS) --scratch-path .build/documented --target BiologinClient -Xswiftc -emit-symbol-graph \
	    -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/$(SYMBOLS)
	find $(SYMBOLS) -name '*.symbols.json' ! -name 'BiologinClient*' ! -name 'BiologinAPI.*' -delete
	docc convert Sources/BiologinClient/BiologinClient.docc --warnings-as-errors --additional-symbol-graph-dir $(SYMBOLS) \
	    --output-path $(DOCS)

lint: lint-swift lint-shell lint-units
lint-swift:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests
lint-shell: deps
	shellcheck Tests/TestSupport/demo Tests/check-units .ci/run
lint-units: deps
	Tests/check-units $(USER_EXPOSURE) $(SYSTEM_EXPOSURE)

# Quick where all is there.
deps:
	@dpkg-query --show --showformat='$${db:Status-Status}\n' $(PACKAGES) 2>&1 | grep --quiet --invert-match '^installed$$' || exit 0; \
	root=$$([ "$$(id -u)" = 0 ] || echo sudo); set -x; \
	$$root apt-get --quiet update && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes --no-install-recommends install $(PACKAGES)

$(PYTHON)/installed: Tests/requirements.txt | deps
	/usr/bin/python3 -m venv --clear $(PYTHON)
	$(PYTHON)/bin/pip --quiet --disable-pip-version-check install --require-hashes --requirement $<
	touch $@

# Only where they are not there yet: `sudo make install` needs no toolchain.
$(PROGRAMS:%=$(RELEASE)/%) $(SERVICES:%=$(RELEASE)/%) &:
	$(MAKE) build

INTERFACES = org.biologin.Login.varlink org.biologin.Enrollment.varlink
install: $(PROGRAMS:%=$(RELEASE)/%) $(SERVICES:%=$(RELEASE)/%)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBEXECDIR) $(DESTDIR)$(UNITDIR) $(DESTDIR)$(SYSTEMUNITDIR) \
	    $(DESTDIR)$(INTERFACEDIR)
	install -m 755 $(PROGRAMS:%=$(RELEASE)/%) $(DESTDIR)$(BINDIR)
	install -m 755 $(SERVICES:%=$(RELEASE)/%) $(DESTDIR)$(LIBEXECDIR)
	install -m 644 systemd/biologin.socket $(DESTDIR)$(UNITDIR)
	install -m 644 systemd/biologin-enrollmentd.socket $(DESTDIR)$(SYSTEMUNITDIR)
	sed 's|@bindir@|$(BINDIR)|' systemd/biologind.service.in > $(DESTDIR)$(UNITDIR)/biologind.service
	sed 's|@libexecdir@|$(LIBEXECDIR)|' systemd/biologin-enrollmentd.service.in \
	    > $(DESTDIR)$(SYSTEMUNITDIR)/biologin-enrollmentd.service
	chmod 644 $(DESTDIR)$(UNITDIR)/biologind.service $(DESTDIR)$(SYSTEMUNITDIR)/biologin-enrollmentd.service
	install -m 644 $(INTERFACES:%=Sources/BiologinAPI/%) $(DESTDIR)$(INTERFACEDIR)

uninstall:
	rm -f $(PROGRAMS:%=$(DESTDIR)$(BINDIR)/%) $(SERVICES:%=$(DESTDIR)$(LIBEXECDIR)/%)
	rm -f $(DESTDIR)$(UNITDIR)/biologin.socket $(DESTDIR)$(UNITDIR)/biologind.service
	rm -f $(SERVICES:%=$(DESTDIR)$(SYSTEMUNITDIR)/%.socket) $(SERVICES:%=$(DESTDIR)$(SYSTEMUNITDIR)/%.service)
	rm -f $(INTERFACES:%=$(DESTDIR)$(INTERFACEDIR)/%)
