/** Letters and digits of a recovery code: 118 bits, more than the 112 from which a plain hash protects a stored code. */
export const recoveryCodeLength = 24
/** Codes given until November 2026 are shorter (79 bits) and stay good until they are used or renewed. */
const olderLength = 16

/** A code as it is compared: capital letters and digits, however it was written. */
export const plainRecoveryCode = (code: string): string => code.toUpperCase().replace(/[^0-9A-Z]/g, '')

/** Whether what was written may be a recovery code, by its length. */
export const mayBeRecoveryCode = (code: string): boolean =>
  [recoveryCodeLength, olderLength].includes(plainRecoveryCode(code).length)
