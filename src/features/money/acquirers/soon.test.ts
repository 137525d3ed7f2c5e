import { expect, test } from 'vitest'
import { backgroundRests, inBackground } from '#kit/server/work/background.ts'
import { soon } from './server/soon.ts'

test('the end waits for what goes on in the background, also for what fails', async () => {
  const done: string[] = []
  const after = (ms: number, name: string) =>
    new Promise<void>((resolve) => setTimeout(() => (done.push(name), resolve()), ms))
  void inBackground(after(20, 'first').then(() => inBackground(after(20, 'follows'))))
  inBackground(after(5, 'fails').then(() => Promise.reject(new Error('no')))).catch(() => undefined)
  await backgroundRests()
  expect(done).toEqual(['fails', 'first', 'follows'])
  await backgroundRests()
})

test('an acquirer that is slow is waited for no longer than a moment, but the end waits for its answer', async () => {
  let answered = false
  const app = { log: { warn: () => undefined } } as never
  const from = Date.now()
  await soon(app, new Promise<void>((resolve) => setTimeout(() => ((answered = true), resolve()), 300)), 20)
  expect(answered).toBe(false)
  expect(Date.now() - from).toBeLessThan(250)
  await backgroundRests()
  expect(answered).toBe(true)
})
