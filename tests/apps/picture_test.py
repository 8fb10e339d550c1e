# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam jacobi --image`; decodes the picture without libpng."""
import re
import struct
import unittest
import zlib

from program import GIVEN_PEAK, ProgramTest


class Picture(ProgramTest):
    def draw(self, *words):
        """Runs and returns (width, height, rows of (r, g, b) from the top)."""
        file = self.folder / "with space.png"
        text = self.succeed("jacobi", *GIVEN_PEAK, *words, "--image", file)
        self.assertRegex(text, rf"(?m)^picture +{re.escape(str(file))}$")
        return self.decode(file.read_bytes())

    def decode(self, data):
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        chunks, position = [], 8
        while position < len(data):
            size, kind = struct.unpack(">I4s", data[position:position + 8])
            body = data[position + 8:position + 8 + size]
            checksum, = struct.unpack(">I", data[position + 8 + size:position + 12 + size])
            self.assertEqual(checksum, zlib.crc32(kind + body))
            chunks.append((kind, body))
            position += 12 + size
        self.assertEqual((chunks[0][0], chunks[-1][0]), (b"IHDR", b"IEND"))
        width, height, *how = struct.unpack(">IIBBBBB", chunks[0][1])
        self.assertEqual(how, [8, 2, 0, 0, 0], "8-bit RGB, not interlaced")
        raw = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
        self.assertEqual(len(raw), height * (3 * width + 1))
        rows, before = [], [0] * (3 * width)
        for y in range(height):
            start = y * (3 * width + 1)
            before = self.unfilter(raw[start], raw[start + 1:start + 1 + 3 * width], before)
            rows.append([tuple(before[3 * x:3 * x + 3]) for x in range(width)])
        return width, height, rows

    @staticmethod
    def unfilter(kind, line, above):
        """Undoes a PNG filter, for three bytes per pixel."""
        out = []
        for i, value in enumerate(line):
            a = out[i - 3] if i >= 3 else 0
            b = above[i]
            c = above[i - 3] if i >= 3 else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out.append((value + [0, a, b, (a + b) // 2, paeth][kind]) & 255)
        return out

    def test_colours_are_where_the_solution_has_them(self):
        width, height, rows = self.draw("-nx", 300, "-ny", 400, "-niter", 50)
        self.assertEqual((width, height), (300, 400))
        self.assertEqual(rows[200][150], (0xf7, 0xf7, 0xf7), "zero far from the edges")
        red, _, blue = rows[299][0]  # y points up: the sine is positive in the lower half
        self.assertGreater(red, blue)
        red, _, blue = rows[99][299]
        self.assertGreater(blue, red)

    def test_big_and_tiny_fields(self):
        self.assertEqual(self.draw("-nx", 2050, "-ny", 1000, "-niter", 1)[:2], (684, 334))
        self.assertEqual(self.draw("-nx", 3, "-ny", 4, "-niter", 1)[:2], (192, 256))


if __name__ == "__main__":
    unittest.main()
