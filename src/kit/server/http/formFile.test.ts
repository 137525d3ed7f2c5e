import { describe, expect, test } from 'vitest'
import { boundaryOf, fileNameIn, FormFile } from './formFile.ts'

const part = (head: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`

async function fileOf(text: string, size: number) {
  const names: string[] = []
  const form = new FormFile('b', (name) => names.push(name))
  const bytes = Buffer.from(text)
  const out: Buffer[] = []
  form.on('data', (piece: Buffer) => out.push(piece))
  const ended = new Promise<unknown>((done) => form.on('end', () => done(undefined)).on('error', done))
  for (let at = 0; at < bytes.length; at += size) form.write(bytes.subarray(at, at + size))
  form.end()
  return { error: await ended, names, text: Buffer.concat(out).toString() }
}

describe('the file of a form', () => {
  const body = `a\r\nb--b\r\n--\r\n--c ${'x'.repeat(300)}`
  const whole = `${part('name="note"', 'hello')}${part('name="file"; filename="bill.pdf"', body)}${part('name="x"; filename="2"', 'other')}--b--\r\n`
  test.each([1, 2, 3, 7, 64, 10_000])('comes whole, however it is cut (%i)', async (size) => {
    expect(await fileOf(whole, size)).toEqual({ error: undefined, names: ['bill.pdf'], text: body })
  })
  test('may be empty', async () => {
    expect(await fileOf(`${part('name="f"; filename="e"', '')}--b--`, 5)).toMatchObject({
      names: ['e'],
      text: '',
    })
  })
  test.each([
    ['no file', `${part('name="note"', 'hello')}--b--`],
    ['no end', part('name="f"; filename="e"', 'abc').slice(0, -5)],
    ['no form', 'hello'],
    ['an endless head', `--b\r\n${'h'.repeat(20_000)}`],
    ['an endless field', part('name="note"', 'x'.repeat(400_000))],
  ])('%s is refused', async (_, text) => {
    expect((await fileOf(text, 1000)).error).toMatchObject({
      code: 'kit.badInput',
      errors: [{ path: 'file', code: 'fields.need' }],
    })
  })
})

test('names and boundaries are read as the standard says', () => {
  expect(boundaryOf('multipart/form-data; boundary=----x')).toBe('----x')
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe('a b')
  expect(boundaryOf('multipart/mixed; boundary=x')).toBeUndefined()
  expect(fileNameIn('Content-Disposition: form-data; name="f"; filename="חשבון.pdf"')).toBe('חשבון.pdf')
  expect(fileNameIn("Content-Disposition: form-data; name=f; filename*=UTF-8''%D7%90.pdf")).toBe('א.pdf')
  expect(fileNameIn("Content-Disposition: form-data; name=f; filename*=UTF-8''%D7")).toBeUndefined()
})
