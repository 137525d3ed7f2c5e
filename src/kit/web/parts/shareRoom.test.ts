import { expect, test } from 'vitest'
import { shareRoom } from './shareRoom.ts'

const column = (need: number, least = 60) => ({ need, least })

test.each([
  ['an empty column leaves its room to the names', 300, [column(250), column(0)], [240, 60]],
  ['what is left over goes by need', 400, [column(200), column(100)], [266.67, 133.33]],
  [
    'two long ones share evenly, a short one has what it needs',
    400,
    [column(500), column(100), column(300)],
    [150, 100, 150],
  ],
  ['nobody gets less than his least', 100, [column(500, 136), column(500, 96)], [136, 96]],
  ['one column has it all', 300, [column(20)], [300]],
])('%s', (_, room, columns, expected) => {
  expect(shareRoom(room, columns).map((width) => Math.round(width * 100) / 100)).toEqual(expected)
})
