import { describe, expect, it } from 'vitest'
import { passwordStrength } from '../fields/PasswordField.tsx'
import { axisSteps } from './BarChart.tsx'
import { largestSide, outputSize, smallestSide } from './cutPicture.ts'
import { matches } from './matches.ts'

describe('steps of a value axis', () => {
  it.each([0, 1, 9_999, 5_800_000, 6_000_001, 123_456_789])(
    'three or four round steps cover %i',
    (highest) => {
      const steps = axisSteps(highest)
      expect(steps[0]).toBe(0)
      expect(steps.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(steps.length).toBeGreaterThanOrEqual(3)
      expect(steps.length).toBeLessThanOrEqual(5)
      expect(steps.every(Number.isInteger)).toBe(true)
    },
  )
})

describe('the size of a logo', () => {
  it('keeps what fits, shrinks what is too large, grows what is too small', () => {
    expect(outputSize(640, 320)).toEqual({ width: 640, height: 320 })
    expect(outputSize(6000, 3000)).toEqual({ width: 2000, height: 1000 })
    expect(outputSize(6, 4)).toEqual({ width: 15, height: 10 })
  })
  it('stays within its limits whatever the shape', () => {
    for (const [width, height] of [
      [1, 1],
      [9000, 3],
      [3, 9000],
    ] as const)
      for (const side of Object.values(outputSize(width, height))) {
        expect(side).toBeGreaterThanOrEqual(smallestSide)
        expect(side).toBeLessThanOrEqual(largestSide)
      }
  })
})

describe('the strength of a password', () => {
  it('counts length most', () => {
    expect(passwordStrength('')).toBe(0)
    expect(passwordStrength('Aa1!')).toBe(1)
    expect(passwordStrength('aaaaaaaaaaaaaaaa')).toBe(1)
    expect(passwordStrength('password')).toBeLessThan(3)
    expect(passwordStrength('ארבע מילים שאיש לא ינחש')).toBeGreaterThanOrEqual(3)
    expect(passwordStrength('correct horse battery staple 7')).toBe(4)
  })
})

describe('finding by words', () => {
  it('hears abbreviations, final letters and the beginnings of words', () => {
    expect(matches('מוסך הציר הירוק בע״מ', 'בעמ')).toBe(true)
    expect(matches('מוסך הציר הירוק בע״מ', 'הי מוס')).toBe(true)
    expect(matches('Dental clinic', 'cl')).toBe(true)
    expect(matches('Dental clinic', 'li')).toBe(false)
    expect(matches('Dental clinic', 'lin')).toBe(true)
  })
})
