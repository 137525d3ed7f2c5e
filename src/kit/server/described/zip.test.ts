import { randomBytes } from 'node:crypto'
import { Zip, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { PackedFile } from './zip.ts'

/** Files as they were written, in pieces, read again by another program. */
async function archived(files: Record<string, Uint8Array[]>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    parts.push(data)
  })
  for (const [name, pieces] of Object.entries(files)) {
    const file = new PackedFile(name)
    zip.add(file)
    for (const piece of pieces) await file.write(piece)
    await file.end()
  }
  zip.end()
  return Buffer.concat(parts)
}

test('what is packed piece by piece is unpacked as it was', async () => {
  const random = randomBytes(300_000)
  const text = Buffer.from('אבג '.repeat(200_000))
  const files = unzipSync(
    await archived({
      'a.bin': [
        random.subarray(0, 1),
        random.subarray(1, 200_000),
        new Uint8Array(),
        random.subarray(200_000),
      ],
      'empty.txt': [],
      'b.txt': [text],
    }),
  )
  expect(Object.keys(files)).toEqual(['a.bin', 'empty.txt', 'b.txt'])
  expect(random.equals(files['a.bin']!)).toBe(true)
  expect(files['empty.txt']).toHaveLength(0)
  expect(text.equals(files['b.txt']!)).toBe(true)
})

test('other work goes on while megabytes are packed', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await archived({ 'a.bin': [randomBytes(20_000_000)] })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
