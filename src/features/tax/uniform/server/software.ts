import type { SoftwareSettings } from '#kit/server/settings.ts'

/** How this program names itself in a uniform file, the person who runs it. */
export const software = { name: 'Pinkas', version: '1.0', compressor: 'fflate (deflate)' } as const

/**
 * Whether the installation says who answers for the program: without it fields 1006 and 1009, which must be
 * given, are zeros.
 */
export const isNamed = ({ registration, vendorTaxId }: SoftwareSettings): boolean =>
  registration !== '' && vendorTaxId !== ''

/** Fields 1006, 1009 and 1010: the number of the register, the maker's number and name. */
export const softwareFields = ({ registration, vendorTaxId, vendorName }: SoftwareSettings) => ({
  softwareRegistrationNumber: registration.padStart(8, '0'),
  vendorTaxId: vendorTaxId.padStart(9, '0'),
  vendorName,
})
