import { useBrand } from '../words/wording.ts'

/**
 * The mark of the product: a ledger with its spine. A white label and a business show their own picture
 * instead.
 */
export function Logo({ src, large }: { src?: string | undefined; large?: boolean }) {
  const brand = useBrand()
  const own = src ?? (brand.isDealer && brand.logo ? brand.logo : undefined)
  if (own) return <img className="s-logo" src={own} alt="" data-own="" data-large={large ? '' : undefined} />
  return (
    <svg className="s-logo" viewBox="0 0 26 26" aria-hidden="true" data-large={large ? '' : undefined}>
      <rect x="2" y="2" width="22" height="22" rx="6" fill="var(--accent)" />
      <path d="M17.5 7v12" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <path
        d="M7.5 9.5h6M7.5 13h6M9.5 16.5h4"
        stroke="#fff"
        strokeWidth="1.75"
        strokeLinecap="round"
        opacity=".85"
      />
    </svg>
  )
}
