import { expect, test } from 'vitest'
import { notices, toastOnce } from './notices.ts'

/** Work that ends when the test says so. */
function held() {
  let end: () => void = () => {}
  let fail: (e: Error) => void = () => {}
  const work = new Promise<void>((done, refused) => {
    end = done
    fail = refused
  })
  return { work, end, fail }
}

test('what is taken back before the server has done it is taken back once it has, and no sooner', async () => {
  const { work, end } = held()
  let undone = 0
  const said = toastOnce(work, 'moved', () => void undone++)
  notices.cancelComing()
  await Promise.resolve()
  expect(undone).toBe(0)
  end()
  await said
  expect(undone).toBe(1)
  expect(notices.now()).toMatchObject({ coming: undefined, toasts: [] })
})

test('a deed nobody regrets is told with its way back; one that is refused is neither told nor undone', async () => {
  const { work, end } = held()
  let undone = 0
  const said = toastOnce(work, 'moved', () => void undone++)
  end()
  await said
  expect(notices.now().toasts.map(({ text }) => text)).toEqual(['moved'])
  const other = held()
  const refused = toastOnce(other.work, 'never', () => void undone++)
  notices.cancelComing()
  other.fail(new Error('no'))
  await expect(refused).rejects.toThrow('no')
  expect([undone, notices.now().toasts.length, notices.now().coming]).toEqual([0, 1, undefined])
})
