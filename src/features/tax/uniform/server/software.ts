/**
 * How this program names itself in a uniform file. The registration number is that of the certificate the Tax Authority gives a program (field
 * 1006); until there is one it is zeros, which the Authority's simulator takes and an audit asks about.
 */
export const software = {
  name: 'Pinkas',
  version: '1.0',
  registration: '00000000',
  vendor: 'Pinkas',
  vendorTaxId: '000000000',
  compressor: 'fflate (deflate)',
} as const
