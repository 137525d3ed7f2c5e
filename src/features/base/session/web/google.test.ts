import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { goToGoogle, takeGoogleAnswer } from './google.ts'

const google = { clientId: 'c', address: 'https://accounts.example/auth' }
const kept = new Map<string, string>()
const at = { origin: 'https://pinkas.test', pathname: '', search: '', hash: '', href: '' }

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('location', at)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_: unknown, __: string, href: string) =>
      void (at.search = new URL(href, at.origin).search),
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** Google's answer, at the one address it returns to. */
function comeBack(): void {
  const nonce = new URL(at.href).searchParams.get('nonce')
  const token = `x.${btoa(JSON.stringify({ nonce, email: 'a@b.example' }))}.x`
  Object.assign(at, { pathname: '/login', search: '', hash: `#id_token=${token}` })
}

test('what the way in carries comes back from Google: of the address, or the trade whose way in it is', () => {
  Object.assign(at, { pathname: '/login', search: '?plan=big', hash: '' })
  goToGoogle(google)
  comeBack()
  expect(takeGoogleAnswer()).toMatchObject({ token: expect.any(String) })
  expect(at.search).toBe('?plan=big')

  Object.assign(at, { pathname: '/pestlogin', search: '?plan=big', hash: '' })
  goToGoogle(google, { search: '?plan=big&area=pest' })
  comeBack()
  expect(takeGoogleAnswer()).toMatchObject({ token: expect.any(String) })
  expect(at.search).toBe('?plan=big&area=pest')
  // Once.
  at.hash = ''
  expect(takeGoogleAnswer()).toBeUndefined()
})

test('what was written on the way to a new account comes back with it, and an answer for another browser is none', () => {
  Object.assign(at, { pathname: '/signupinvoice', search: '?area=pest', hash: '' })
  goToGoogle(google, { signUp: { fullName: 'נועה' } })
  comeBack()
  expect(takeGoogleAnswer()).toMatchObject({ token: expect.any(String), signUp: { fullName: 'נועה' } })
  expect(at.search).toBe('?area=pest')

  goToGoogle(google)
  comeBack()
  kept.set('googleLogIn', JSON.stringify({ nonce: 'other', search: '' }))
  expect(takeGoogleAnswer()).toEqual({ refused: 'session.google.strange' })
})
