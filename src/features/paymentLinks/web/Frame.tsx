import { Link2Off, Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '../../../kit/describe/endpoint.ts'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { LanguageMenu } from '../../../kit/web/shell/LanguageMenu.tsx'
import { PublicFoot } from '../../../kit/web/shell/PublicFrame.tsx'
import { useBytesUrl } from '../../../kit/web/useBytesUrl.ts'
import { useOwnLanguage } from '../../../kit/web/useOwnLanguage.ts'
import './paymentLinks.css'

export interface Shown {
  business: { name: string; taxId: string; phone: string; email: string }
  accent: string
  hasLogo: boolean
  language: string
}

/** A page of a payer in the colours of the business that asks him. */
export function Frame({ of, logo, keyPart, children }: { of: Shown; logo: Endpoint<any, any>; keyPart: string; children: ReactNode }) {
  const picture = useBytesUrl(logo, keyPart, of.hasLogo)
  useOwnLanguage(of.language)
  const { business } = of
  return (
    <div className="pl-page">
      <div className="pl-strip" style={{ background: of.accent }} aria-hidden />
      <header className="pl-head">
        {picture ? <img src={picture} alt={business.name} /> : <b className="text-18 font-medium">{business.name}</b>}
        <span className="grow" />
        <LanguageMenu full />
      </header>
      <main id="content" tabIndex={-1} className="pl-in">
        {children}
        <p className="pl-contact">
          <span>
            <bdi>{business.name}</bdi> · <Num>{business.taxId}</Num>
          </span>
          {business.phone && (
            <a href={`tel:${business.phone.replace(/[^\d+*]/g, '')}`}>
              <Icon of={Phone} size="s" /> <Num>{business.phone}</Num>
            </a>
          )}
          {business.email && (
            <a href={`mailto:${business.email}`}>
              <Icon of={Mail} size="s" /> <Num>{business.email}</Num>
            </a>
          )}
        </p>
      </main>
      <PublicFoot />
    </div>
  )
}

/** What stands there before it comes, or when the key opens nothing. */
export function Nothing({ title, text, waits }: { title: string; text: string; waits: boolean }) {
  return (
    <main id="content" tabIndex={-1} className="pl-page">
      <div className="pl-in">
        {waits ? (
          <Skeleton lines={5} />
        ) : (
          <EmptyState icon={Link2Off} title={title}>
            {text}
          </EmptyState>
        )}
      </div>
    </main>
  )
}
