import { expect, test } from 'vitest'
import { exemptGrounds, isGroundOn, vatGroundNames, vatGrounds, zeroGrounds } from './grounds.ts'

test('each ground is of zero rate or of exemption', () => {
  expect([...zeroGrounds, ...exemptGrounds].toSorted()).toEqual(vatGroundNames.toSorted())
  expect(zeroGrounds).toContain('servicesToNonResident')
  expect(exemptGrounds).toContain('outsideScope')
})

test('a ground is named from the day its law holds', () => {
  expect(isGroundOn('eilat', '1985-10-31')).toBe(false)
  expect(isGroundOn('eilat', '1985-11-01')).toBe(true)
  for (const name of vatGroundNames) expect(isGroundOn(name, '2026-01-01'), name).toBe(true)
  expect(vatGrounds.servicesToNonResident.vatClass).toBe('zero')
})
