#!/usr/bin/env python3
"""Makes the test vectors, from the description of the formats alone (needs PyNaCl).

The files beside this script must open for ever: do not make them anew, add others for a new version of a format.
"""
import hashlib
import os
import struct

import nacl.bindings as sodium

HERE = os.path.dirname(os.path.abspath(__file__))
DOMAIN = "org.biologin.Login"
PROFILE_KEY = bytes(range(32))
DEVICE_SECRET = bytes(range(0x40, 0x60))
DEVICE_PUBLIC = sodium.crypto_scalarmult_base(DEVICE_SECRET)


def blake(purpose, data=b"", key=b"", size=32):
    return hashlib.blake2b(f"biologin 1 {purpose}\0".encode() + data, key=key, digest_size=size).digest()


def pack(*fields):
    packed = b""
    for field in fields:
        if isinstance(field, bytes):
            packed += struct.pack(">I", len(field)) + field
        elif isinstance(field, str):
            packed += pack(field.encode())
        else:
            size, number = field
            packed += number.to_bytes(size, "big")
    return packed


def encrypt(plain, key, bound):
    nonce = os.urandom(24)
    return nonce + sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, bound, nonce, key)


def profile_subkey(purpose):
    return blake(purpose, key=PROFILE_KEY)


DEVICE_ID = blake("device key id", DEVICE_PUBLIC, size=16)


def tag(application, uid):
    return blake("account tag", pack(DOMAIN, application, uid), profile_subkey("account tag key"), 16).hex()


def record(login_key, terms, account, generation, verifier, strength, snapshot):
    snapshot_tag = blake("snapshot tag", pack(DOMAIN, account, snapshot), profile_subkey("snapshot tag key"), 16)
    bound = pack((1, 1), DOMAIN, DEVICE_ID, account, (8, generation), verifier, (1, strength), snapshot_tag)
    data_key = os.urandom(32)
    box = encrypt(pack(login_key, terms), blake("message key", snapshot, data_key), bound)
    body = bytes([1]) + struct.pack(">Q", generation) + DEVICE_ID + bytes([strength, snapshot[0]]) + snapshot_tag
    body += sodium.crypto_box_seal(data_key, DEVICE_PUBLIC) + pack(verifier, box)
    return body + blake(
        "record authentication", pack(DOMAIN, account, body), profile_subkey("record authentication key"))


def profile(plain, account):
    return bytes([1]) + encrypt(plain, profile_subkey("profile encryption key"), pack((1, 1), DOMAIN, account))


def write(name, data):
    with open(os.path.join(HERE, name), "xb") as file:
        file.write(data)


write("device-key", b"biologin device key 1: file\n" + DEVICE_PUBLIC + DEVICE_ID + DEVICE_SECRET)
write("profile-key", b"biologin profile key 1\n" + blake("profile key check", key=PROFILE_KEY, size=16) + PROFILE_KEY)

LATIN, SCRIPTS = tag("org.example.App", "1001"), tag("org.example.App", "Ольга@例え.jp")
print("org.example.App 1001", LATIN)
print("org.example.App Ольга@例え.jp", SCRIPTS)

FINGERS = b"\x01" + b"Virtual reader\0left-index-finger\0right-thumb\0"
write("one-byte.record", record(b"\0", b"", LATIN, 1, "fprintd", 1, FINGERS))
write("scripts.record", record(
    "ключ 鍵 مفتاح".encode(), "имя 名前 اسم".encode(), SCRIPTS, 0x0102030405060708, "fprintd", 2,
    b"\x01" + "読取機\0right-index-finger\0".encode()))
write("largest.record", record(
    bytes((7 * i + 3) % 256 for i in range(16384)), b"t" * 16384, LATIN, 2**64 - 1, "v" * 64, 3, FINGERS))
write("scripts.profile", profile("имя 名前 اسم".encode(), SCRIPTS))
write("empty.profile", profile(b"", LATIN))
