import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { root } from '../settings.ts'
import { strictDecoder, strictText } from './strictText.ts'

const hebrew = 'שלום, עולם'

describe('bytes from outside', () => {
  test.each(['utf-8', 'utf-16le', 'windows-1255', 'cp862', 'windows-1252'])('are read in %s', (charset) => {
    const text = charset === 'windows-1252' ? 'Café' : hebrew
    expect(strictText(iconv.encode(text, charset), charset)).toBe(text)
  })
  test.each([
    ['Windows-1255 as UTF-8', iconv.encode(hebrew, 'windows-1255'), 'utf-8'],
    ['a character that is cut off', Buffer.from(hebrew).subarray(0, 3), 'utf-8'],
    ['a byte that the code page does not have', Buffer.from([0xf9, 0xdd]), 'windows-1255'],
    ['half a character of UTF-16', Buffer.from([0xe9, 0x05, 0xd9]), 'utf-16le'],
  ])('are refused: %s', (_, bytes, charset) =>
    expect(() => strictText(bytes, charset)).toThrow(expect.objectContaining({ code: 'http.badText' })),
  )
  test('in pieces a character is never torn', () => {
    const decoder = strictDecoder('utf-8')
    const text = [...Buffer.from(hebrew)].map((byte) => decoder.write(Uint8Array.of(byte))).join('')
    expect(text + decoder.end()).toBe(hebrew)
  })
})

/** Reads bytes leniently, and why that is no loss there. */
const lenient: Readonly<Record<string, string>> = {
  'src/kit/server/http/strictText.ts': 'refuses what is replaced',
  'src/kit/server/http/asked.ts': 'our own bytes',
  'src/kit/server/seal/attachXml.ts': 'our own file',
  'src/features/money/acquirers/server/gateways/simulator/server.ts': 'a stand-in',
  'src/features/money/acquirers/server/notices.ts': 'only a reason to ask; nothing of it is stored',
  'src/features/money/acquirers/server/wire.ts': 'answers of acquirers, by the charset they name',
  'src/features/connected/shops/server/doors/wix.ts': 'signed bytes',
  'src/features/sales/signing/server/compose.ts': 'our own bytes',
  'src/features/open/webhooks/server/run.ts': 'our own bytes',
  'src/features/open/webhooks/server/post.ts': 'shown to a person, never used',
  'src/features/base/files/server/kinds.ts': 'looks at the kind of a file',
  'src/features/base/session/server/passwords.ts': 'our own list',
  'src/domain/filings/uniform/charset.ts': 'the charset was proved before',
  'src/features/registers/imports/server/text.ts':
    'the beginning of a file, which may end within a character',
  'src/features/registers/imports/server/encoding.ts': 'a row with a replaced character is a separate fault',
  'src/features/registers/rates/server/read.ts': 'tries one encoding after the other',
  'src/features/registers/suppliers/server/answers.ts': 'tries one encoding after the other',
  'src/features/money/bank/server/read.ts': 'the beginning of a file, which may end within a character',
  'src/features/people/leads/server/facebook/graph.ts': 'answers of one service in JSON',
}

test('no other file of the server reads bytes leniently', () => {
  const files = ['src/kit/server', 'src/features', 'src/domain'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/web\//.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  const found = files.filter((file) =>
    /toString\('utf-?8'\)|new TextDecoder\((?![^)]*fatal)|iconv\.(decode|getDecoder)\(/.test(
      readFileSync(path.join(root, file), 'utf8').replace(/const decoder = iconv\.getDecoder\(charset\)/, ''),
    ),
  )
  expect(found.filter((file) => !lenient[file])).toEqual([])
})
