import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { missing } from '../../../../tests/needs.ts'
import { addressOf, codeFor, codeLanguages, type Sent } from './web/code.ts'

const hostile = {
  note: `it's "quoted" \\ $HOME \`x\` דנה`,
  list: [],
  none: null,
  yes: true,
  more: { a: 1 },
  empty: {},
}
const sent: Sent = {
  method: 'POST',
  url: 'https://books.example/api4/x?q=a%20b',
  body: hostile,
  needsKey: true,
  changes: true,
  key: 'pk_test_abc',
}

describe('code', () => {
  test.each(codeLanguages)('in %s says the address, the key and the deed', (language) => {
    const code = codeFor(language, sent)
    for (const part of ['https://books.example/api4/x', 'pk_test_abc', 'Idempotency-Key'])
      expect(code).toContain(part)
    expect(
      codeFor(language, { ...sent, body: undefined, method: 'GET', changes: false, needsKey: false }),
    ).not.toMatch(/pk_test|content-type|Idempotency/)
    expect(codeFor(language, { ...sent, body: undefined, takesFile: true })).toMatch(/file\.bin|bytes/)
  })

  test('for a shell sends exactly the body, whatever stands in it', () => {
    // curl is replaced by a program that prints what it was given after -d.
    const script = `curl() { while [ $# -gt 0 ]; do [ "$1" = -d ] && printf '%s' "$2"; shift; done; }; ${codeFor('curl', sent)}`
    expect(JSON.parse(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout)).toEqual(hostile)
  })

  test('for JavaScript sends exactly the body', async () => {
    const got: { body?: string } = {}
    const fetch = async (_: string, of: { body: string }) => (
      Object.assign(got, of),
      { ok: true, json: async () => ({}) }
    )
    await new Function('fetch', `return (async () => { ${codeFor('JavaScript', sent)} })()`)(fetch)
    expect(JSON.parse(got.body!)).toEqual(hostile)
  })

  test('for Python sends exactly the body', ({ skip }) => {
    const reason = missing('python3')
    skip(reason !== undefined, reason)
    const stand = `import sys, types, json\nm = types.ModuleType("requests")\nclass A:\n  def raise_for_status(s): pass\n  def json(s): return {}\ndef request(*a, **k):\n  print(json.dumps(k["json"])); return A()\nm.request = request\nsys.modules["requests"] = m\n`
    const ran = spawnSync('python3', ['-c', stand + codeFor('Python', sent)], { encoding: 'utf8' })
    expect([ran.stderr, JSON.parse(ran.stdout)]).toEqual(['', hostile])
  })

  test('lays ids and filters into the address, and leaves out what is empty', () => {
    expect(
      addressOf('https://x', '/a/{id}/b', { id: 'a b' }, { q: 'ש', n: 0, none: undefined, blank: '' }),
    ).toBe('https://x/a/a%20b/b?q=%D7%A9&n=0')
    expect(addressOf('', '/a/{id}', {}, {})).toBe('/a/{id}')
  })
})
