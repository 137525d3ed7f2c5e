import { registerPurpose } from '#features/money/acquirers/server/charges/purposes.ts'

/** Purposes of charges that only tests know. Test files share a process, and see those of each other. */
export const testPurposes = new Set<string>()

/** As `registerPurpose`, for a purpose that the product does not have. */
export function registerTestPurpose(...[name, how]: Parameters<typeof registerPurpose>): void {
  testPurposes.add(name)
  registerPurpose(name, how)
}
