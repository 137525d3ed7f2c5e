import { describe, expect, test } from 'vitest'
import { isPublic, isSitePublic } from '#kit/server/outside/reach.ts'
import { checkUrl } from './address.ts'
import { signed } from './sign.ts'

const far = { http: false, local: false }

describe('addresses', () => {
  test.each([
    ['https://books.example.com', true],
    ['https://books.example.com:8443', true],
    ['https://8.8.8.8', true],
    ['http://books.example.com', false],
    ['https://localhost', false],
    ['https://till.local', false],
    ['https://192.168.1.4', false],
    ['https://[::1]:3000', false],
  ])('whether %s can be come to from anywhere: %s', (site, is) => expect(isSitePublic(site)).toBe(is))

  test.each(['8.8.8.8', '203.0.112.9', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (one) =>
    expect(isPublic(one, far)).toBe(true),
  )
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'fec0::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '5f00::1',
    '4000::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'localhost',
    '',
    '1',
    '0x7f.1',
  ])('%s is not', (one) => expect(isPublic(one, far)).toBe(false))
  test('this machine only where it is meant', () => {
    const near = { http: false, local: true }
    for (const one of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isPublic(one, near)).toBe(true)
    for (const one of ['10.0.0.1', '169.254.169.254', 'fe80::1']) expect(isPublic(one, near)).toBe(false)
  })

  test.each([
    'https://example.com/hook',
    'https://example.com/hook?a=1#x',
    'https://8.8.8.8/x',
    'https://EXAMPLE.com:443/',
  ])('%s may be written down', (url) =>
    expect(checkUrl(url, far)).toMatch(/^https:\/\/(example\.com|8\.8\.8\.8)\//),
  )
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'https://user:pw@example.com/',
    'https://example.com:8443/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://intranet/',
    'javascript:alert(1)',
    'not an address',
    'https://',
  ])('%s may not', (url) => expect(() => checkUrl(url, far)).toThrow())
  test('plain http where the server allows it, and never to this machine', () => {
    expect(checkUrl('http://example.com/', { http: true, local: false })).toBe('http://example.com/')
    expect(() => checkUrl('http://127.0.0.1/', { http: true, local: false })).toThrow()
    expect(checkUrl('http://127.0.0.1:8080/x', { http: false, local: true })).toBe('http://127.0.0.1:8080/x')
    expect(() => checkUrl('http://10.0.0.1:8080/x', { http: false, local: true })).toThrow()
  })
})

// Of the libraries of the standard: `webhook_test` in standard-webhooks.
test('a signature is the one the standard publishes', () => {
  const made = signed('msg_p5jXN8AQM9LWM0D4loKWxJek', new Date(1_614_265_330_000), '{"test": 2432232314}', [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ])
  expect(made['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
