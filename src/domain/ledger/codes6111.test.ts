import { expect, test } from 'vitest'
import { chartFor } from './chart.ts'
import { codes6111, readCodes6111 } from './codes6111.ts'

test('every year has a list, each code once, in its part', () => {
  for (const year of [2020, 2023, 2026]) {
    const codes = codes6111(year)
    expect(new Set(codes.map((one) => one.code)).size).toBe(codes.length)
    for (const { code, part } of codes)
      expect(part, code).toBe(Number(code) < 1000 ? 'adjustment' : Number(code) < 7000 ? 'profit' : 'balance')
  }
})

test('the chart of accounts uses codes that exist', () => {
  const known = new Set(codes6111(2026).map((one) => one.code))
  for (const { number, form6111 } of chartFor('company'))
    if (form6111 !== undefined) expect(known.has(String(form6111)), number).toBe(true)
})

test('a CSV of codes is read whatever divides it, with or without heads, and a wrong row is named', () => {
  expect(readCodes6111('code,name\n7115,"Cash, in hand"\r\n3691;Other\n')).toEqual({
    codes: [
      { code: '7115', name: 'Cash, in hand', part: 'balance' },
      { code: '3691', name: 'Other', part: 'profit' },
    ],
  })
  expect(readCodes6111('110\tadjustment')).toEqual({
    codes: [{ code: '110', name: 'adjustment', part: 'adjustment' }],
  })
  expect(readCodes6111('7115,Cash\nseven,Cash')).toEqual({ wrongRow: 2 })
  expect(readCodes6111('7115,\n')).toEqual({ wrongRow: 1 })
  expect(readCodes6111('\n \n')).toEqual({ codes: [] })
})
