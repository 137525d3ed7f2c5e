import { expect, test } from 'vitest'
import { currentBusiness, asBusiness } from '../work/threads/currentBusiness.ts'
import { Later, settled } from './implement.ts'

test('what is put off is still work for the business in which it was: it has that one’s turn and its brand', async () => {
  const id = '00000000-0000-0000-0000-000000000001'
  const later = await asBusiness(id, undefined, async () => new Later(async () => [currentBusiness()]))
  expect(currentBusiness()).toBe('')
  expect(await settled(later)).toEqual([id])
  expect(await settled('at once')).toBe('at once')
})
