import { describe, expect, it } from 'vitest'
import { choose, onTableKey, type Hand } from './tableKeys.ts'

const keys = [undefined, 'a', 'b', 'c', undefined, 'd']
const at = (cursor: number, selected: string[] = [], anchor = cursor): Hand => ({
  cursor,
  anchor,
  selected: new Set(selected),
})

describe('keys in a list', () => {
  it('moves over rows that are no records and stops at the ends', () => {
    expect(onTableKey(at(3), { key: 'ArrowDown' }, keys, true)?.hand.cursor).toBe(5)
    expect(onTableKey(at(5), { key: 'ArrowDown' }, keys, true)?.hand.cursor).toBe(5)
    expect(onTableKey(at(1), { key: 'ArrowUp' }, keys, true)?.hand.cursor).toBe(1)
    expect(onTableKey(at(5), { key: 'Home' }, keys, true)?.hand.cursor).toBe(1)
    expect(onTableKey(at(1), { key: 'PageDown' }, keys, true)?.hand.cursor).toBe(5)
  })
  it('chooses with space, a range with shift', () => {
    const one = onTableKey(at(1), { key: ' ' }, keys, true)!.hand
    expect([...one.selected]).toEqual(['a'])
    const down = onTableKey(one, { key: 'ArrowDown', shift: true }, keys, true)!.hand
    const further = onTableKey(down, { key: 'ArrowDown', shift: true }, keys, true)!.hand
    expect([...further.selected]).toEqual(['a', 'b', 'c'])
    expect([...choose(at(1, ['a']), keys, 1).selected]).toEqual([])
    expect([...choose(at(1), keys, 3, true).selected]).toEqual(['a', 'b', 'c'])
  })
  it('takes all and clears', () => {
    expect(onTableKey(at(1), { key: 'a', ctrl: true }, keys, true)!.hand.selected.size).toBe(4)
    expect(onTableKey(at(1, ['a']), { key: 'Escape' }, keys, true)!.hand.selected.size).toBe(0)
    expect(onTableKey(at(1), { key: 'Escape' }, keys, true)).toBeUndefined()
  })
  it('opens and shows the menu', () => {
    expect(onTableKey(at(2), { key: 'Enter' }, keys, false)?.deed).toBe('open')
    expect(onTableKey(at(2), { key: 'F10', shift: true }, keys, false)?.deed).toBe('menu')
    expect(onTableKey(at(2), { key: 'F10' }, keys, false)).toBeUndefined()
  })
  it('does not choose where choosing is not offered', () => {
    expect(onTableKey(at(2), { key: ' ' }, keys, false)).toBeUndefined()
    expect(onTableKey(at(1), { key: 'ArrowDown', shift: true }, keys, false)?.hand.selected.size).toBe(0)
  })
  it('leaves an empty list alone', () =>
    expect(onTableKey(at(0), { key: 'ArrowDown' }, [undefined], true)).toBeUndefined())
})
