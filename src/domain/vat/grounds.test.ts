import { expect, test } from 'vitest'
import {
  exemptGrounds,
  groundsOffered,
  isGroundOn,
  vatGroundNames,
  vatGrounds,
  zeroGrounds,
} from './grounds.ts'

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

test('what no source names is not offered, and stays where it was chosen before', () => {
  expect(groundsOffered(zeroGrounds, null)).not.toContain('palestinianAuthority')
  expect(groundsOffered(zeroGrounds, 'palestinianAuthority', '2026-01-01')).toContain('palestinianAuthority')
  expect(groundsOffered(exemptGrounds, null)).toEqual(exemptGrounds)
  expect(groundsOffered(exemptGrounds, null, '1980-01-01')).not.toContain('withinEilat')
})
