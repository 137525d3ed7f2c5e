import { expect, test } from 'vitest'
import { whose, workingFor } from '../work/crew/whose.ts'
import { Later, settled } from './implement.ts'

test('what is put off is still work for the business in which it was: it has that one’s turn and its brand', async () => {
  const id = '00000000-0000-0000-0000-000000000001'
  const later = await workingFor(id, undefined, async () => new Later(async () => [whose()]))
  expect(whose()).toBe('')
  expect(await settled(later)).toEqual([id])
  expect(await settled('at once')).toBe('at once')
})
