import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readSettings, root } from './settings.ts'

afterEach(() => vi.unstubAllEnvs())

const wrong: [name: string, value: string][] = [
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['WORKERS', '0'],
  ['WORKERS', '1.5'],
  ['DATABASE_CONNECTIONS', '2'],
  ['CALLS_PER_MINUTE', '-1'],
  ['PUBLIC_URL', 'example'],
  ['SMTP_URL', 'mail'],
  ['SMS_URL', 'gateway'],
  ['SMS_PROVIDER_URL', '019'],
  ['LOG_LEVEL', 'loud'],
  ['TAX_AUTHORITY', 'prod'],
  ['TAX_AUTHORITY_PATHS', '{'],
  ['TAX_AUTHORITY_PATHS', '{"token": 1}'],
  ['DONATIONS', 'yes'],
  ['DONATIONS_ADDRESSES', 'here'],
  ['DONATIONS_FIELDS', 'null'],
  ['SOFTWARE_VENDOR_ID', '123456789'],
  ['SOFTWARE_REGISTRATION', 'A1'],
  ['SUPPORT_OPERATORS', 'somebody'],
  ['BILLING_COMPANY', 'mine'],
  ['VIRUS_SCANNER', 'clam'],
  ['FACEBOOK', 'on'],
  ['MAIL_IN_TLS_CERT', '/cert.pem'],
  ['SHOPIFY_CLIENT_ID', 'app'],
]

test.each(wrong)('%s=%s is refused by its name', (name, value) => {
  vi.stubEnv(name, value)
  expect(() => readSettings()).toThrow(name)
})

test('an empty value counts as not set', () => {
  const plain = readSettings()
  for (const [name] of wrong) vi.stubEnv(name, '')
  expect(readSettings()).toEqual(plain)
})

test('the server ends with one line and no stack trace', () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(root, 'src/server.ts')],
    { cwd: root, encoding: 'utf8', env: { ...process.env, PORT: 'abc' } },
  )
  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toEqual([
    'Pinkas could not start: PORT must be a whole number from 0 to 65535, not "abc"',
  ])
})
