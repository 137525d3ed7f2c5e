import { chargesVat } from '#domain/documents/kinds.ts'
import { exemptGrounds, groundsOffered, zeroGrounds, type VatGround } from '#domain/vat/grounds.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { fieldViews } from '#kit/web/fields/fieldViews.tsx'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { whenAbroad, whenCountry } from '../abroad.ts'

const { Input: Flag } = fieldViews.flag
const { Input: Text } = fieldViews.text
const { Input: Currency } = fieldViews.currency
const { Input: Choice } = fieldViews.choice

/** The one switch, which sets what goes along with it. */
export const AbroadInput = ({ values, put, ...props }: DressedInputProps) => (
  <Flag {...props} onChange={(isAbroad) => put(whenAbroad(Boolean(isAbroad), values))} />
)

export const CountryInput = ({ values, put, ...props }: DressedInputProps) => (
  <Text {...props} onChange={(country) => put(whenCountry(country, values))} />
)

export const CurrencyInput = ({ values, put: _, ...props }: DressedInputProps) =>
  values.isAbroad ? <Currency {...props} /> : null

/** Whether the business charges VAT: to one that charges none nothing is said of it. */
function useHasVat(): boolean {
  const { data } = useCall(getCompany, {})
  return data !== undefined && chargesVat(data.kind)
}

export const HidesIlsInput = ({ values, put: _, ...props }: DressedInputProps) =>
  useHasVat() && values.isAbroad ? <Flag {...props} /> : null

export const ZeroRateInput = ({ values: _, put: __, ...props }: DressedInputProps) =>
  useHasVat() ? <Flag {...props} /> : null

/** Grounds that nothing names in the law are left out, unless the customer has one already. */
const offered = (
  grounds: readonly VatGround[],
  { choices, value }: Pick<DressedInputProps, 'choices' | 'value'>,
): DressedInputProps['choices'] => {
  const names: readonly string[] = groundsOffered(grounds, typeof value === 'string' ? value : null)
  return choices?.filter((one) => names.includes(one.value))
}

export const ZeroGroundInput = ({ values, put: _, ...props }: DressedInputProps) =>
  useHasVat() && values.zeroRate ? <Choice {...props} choices={offered(zeroGrounds, props)} /> : null

export const ExemptGroundInput = ({ values: _, put: __, ...props }: DressedInputProps) =>
  useHasVat() ? <Choice {...props} choices={offered(exemptGrounds, props)} /> : null
