import { describe, expect, test } from 'vitest'
import type { Failure } from '#kit/describe/errors.ts'
import { checkShape, mostDepth, mostNames, mostValues } from './largeBodies.ts'

const check = (text: string) => checkShape(Buffer.from(text))
const names = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`

describe('the shape of a large body', () => {
  test('names, values and depth are counted up to their bounds', () => {
    check(names(mostNames))
    expect(() => check(names(mostNames + 1))).toThrow()
    check(`[${'0,'.repeat(mostValues - 2)}0]`)
    expect(() => check(`[${'0,'.repeat(mostValues)}0]`)).toThrow()
    expect(() => check(`[${'[],'.repeat(mostValues / 2)}0]`)).toThrow()
    check('['.repeat(mostDepth) + ']'.repeat(mostDepth))
    expect(() => check('['.repeat(mostDepth + 1))).toThrow()
  })

  test('each object has its own count, and a list beside it none', () => {
    check(`[${names(1500)},${names(1500)},{"a":[${'1,'.repeat(5000)}1],"b":2}]`)
    expect(() => check(`[[1],${names(mostNames + 1)}]`)).toThrow()
  })

  test('the refusal names the field that leads there', () => {
    const path = (text: string) => {
      try {
        check(text)
      } catch (e) {
        return (e as Failure).errors[0]?.path
      }
      return undefined
    }
    expect(path(`{"name":"x","tags":${'['.repeat(100)}`)).toBe('tags')
    expect(path(`{"a":{"b":1},"c" : ["d", ${names(mostNames + 1)}]}`)).toBe('c')
    expect(path('['.repeat(100))).toBe('')
  })

  test('what stands in a text counts for nothing', () => {
    check(JSON.stringify({ a: '[{,'.repeat(mostValues) }))
    check(JSON.stringify({ a: '"\\,[{'.repeat(mostValues), b: 'אבג' }))
    // What is no JSON is for the parser to refuse.
    check('"never closed \\')
    check(']]]}}}')
  })
})
