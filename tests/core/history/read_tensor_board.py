"""Reads TensorBoard event files by protobuf's own library: a line of JSON for each record, after its checksums are seen to hold."""
import json
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

FIELD = descriptor_pb2.FieldDescriptorProto


def event_class():
    """What tensorflow/core/util/event.proto and framework/summary.proto say, as far as scalars go."""
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="tensorflow", syntax="proto3")
    messages = {
        "Value": [("tag", 1, FIELD.TYPE_STRING, None), ("simple_value", 2, FIELD.TYPE_FLOAT, None)],
        "Summary": [("value", 1, FIELD.TYPE_MESSAGE, "Value")],
        "Event": [("wall_time", 1, FIELD.TYPE_DOUBLE, None), ("step", 2, FIELD.TYPE_INT64, None),
                  ("file_version", 3, FIELD.TYPE_STRING, None), ("summary", 5, FIELD.TYPE_MESSAGE, "Summary")],
    }
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field, number, kind, of in fields:
            added = message.field.add(name=field, number=number, type=kind,
                                      label=FIELD.LABEL_REPEATED if of == "Value" else FIELD.LABEL_OPTIONAL)
            if of:
                added.type_name = f".tensorflow.{of}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName("tensorflow.Event"))


def masked_sum(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def main():
    event_of = event_class()
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            content = file.read()
        at = 0
        while at < len(content):
            length, = struct.unpack_from("<Q", content, at)
            data = content[at + 12:at + 12 + length]
            sums = struct.unpack_from("<I", content, at + 8) + struct.unpack_from("<I", content, at + 12 + length)
            if sums != (masked_sum(content[at:at + 8]), masked_sum(data)):
                sys.exit(f"{path}: a checksum is wrong at byte {at}")
            event = event_of.FromString(data)
            told = {value.tag: value.simple_value for value in event.summary.value}
            print(json.dumps({"time": event.wall_time, "step": event.step, "version": event.file_version, "told": told}))
            at += 16 + length


main()
