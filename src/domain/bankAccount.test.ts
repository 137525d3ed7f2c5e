import { describe, expect, test } from 'vitest'
import { checkBankAccount, isBankCode } from './bankAccount.ts'

// Checksums calculated by hand from the published weights, bank by bank.
describe('the check of an account', () => {
  test.each([
    // Leumi 936: 90+27+48; 078696: 0+42+40+24+27+12; and 60: 370, so 70.
    [10, '936', '07869660', 'ok'],
    [10, '936', '078696-60', 'ok'],
    [10, '936', '7869660', 'ok'],
    [10, '936', '07869661', 'suspicious'],
    [13, '936', '07869660', 'ok'],
    // Hapoalim 600: 54; the account adds its last digits. 55 and 61 leave 0 and 6, 56 leaves 1.
    [12, '600', '000001', 'ok'],
    [12, '600', '000007', 'ok'],
    [12, '600', '000002', 'suspicious'],
    // Branch 100 gives 9: 11, 13, 15, 17 leave 0, 2, 4, 6.
    [4, 100, '2', 'ok'],
    [4, 100, '4', 'ok'],
    [4, 100, '6', 'suspicious'],
    [20, 100, '6', 'ok'],
    [20, 100, '8', 'suspicious'],
    [12, 100, '8', 'ok'],
    // Mizrahi 500 counts as 100; 400 itself does not change: 36 + 8 = 44.
    [20, 500, '6', 'ok'],
    [20, 400, '8', 'ok'],
    // Discount and Mercantile: nine digits, whatever the branch. 9 + 2 = 11.
    [11, 1, '100000002', 'ok'],
    [11, 999, '100000002', 'ok'],
    [17, 1, '4', 'ok'],
    [11, 1, '6', 'suspicious'],
    // First International and Pagi: nine digits, or the last six alone.
    [31, 1, '6', 'ok'],
    [31, 1, '900000006', 'ok'],
    [52, 1, '900000006', 'ok'],
    [52, 1, '2', 'suspicious'],
    // Postal bank, modulo ten: 2 + 8.
    [9, 1, '18', 'ok'],
    [9, 1, '19', 'suspicious'],
    // Massad and Otsar Hahayal: any of three checksums divisible by eleven.
    [46, 100, '2', 'ok'],
    [46, 200, '100000002', 'ok'],
    [14, 200, '100000051', 'ok'],
    [14, 200, '11', 'suspicious'],
    // Citibank: 11 - 2 = 9.
    [22, 1, '19', 'ok'],
    [22, 1, '18', 'suspicious'],
    // No public rule.
    [54, 1, '123', 'unknown'],
    [18, 1, '123', 'unknown'],
    [77, 1, '123', 'unknown'],
  ] as const)('bank %d, branch %s, account %s is %s', (bank, branch, account, result) => {
    expect(checkBankAccount(bank, branch, account)).toBe(result)
  })

  test.each(['', '0', '000000', '12a4', '1234567890'])(
    'account %j is suspicious in a bank that has a rule',
    (account) => {
      expect(checkBankAccount(12, '600', account)).toBe('suspicious')
    },
  )

  test('an account of zeros is none, though every sum of it is right', () => {
    expect(checkBankAccount(11, '600', '000000000')).toBe('suspicious')
  })

  test('a branch of four digits or none is suspicious', () => {
    expect(checkBankAccount(12, '1600', '000001')).toBe('suspicious')
    expect(checkBankAccount(12, '', '000001')).toBe('suspicious')
  })
})

test('the list of banks', () => {
  expect([10, 12, 18, 99].every(isBankCode)).toBe(true)
  expect([0, 8, 1000].some(isBankCode)).toBe(false)
})
