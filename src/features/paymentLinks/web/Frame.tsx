import { Mail, Phone } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Endpoint } from '../../../kit/describe/endpoint.ts'
import { callBytes } from '../../../kit/web/call.ts'
import { languageFrom } from '../../../kit/web/language.ts'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { LanguageMenu } from '../../../kit/web/shell/LanguageMenu.tsx'
import { PublicFoot } from '../../../kit/web/shell/PublicFrame.tsx'
import { store } from '../../../kit/web/storage.ts'
import { changeLanguage, languageChosen, wordingNow } from '../../../kit/web/wording.ts'
import { Link2Off } from 'lucide-react'
import './paymentLinks.css'

export interface Shown {
  business: { name: string; taxId: string; phone: string; email: string }
  accent: string
  hasLogo: boolean
  language: string
}

/** A page of a payer in the colours of the business that asks him. */
export function Frame({ of, logo, keyPart, children }: { of: Shown; logo: Endpoint<any, any>; keyPart: string; children: ReactNode }) {
  const picture = useLogo(logo, keyPart, of.hasLogo)
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

/** A visitor whose language nobody knows reads that of the page; it is not kept as his choice. */
export function useOwnLanguage(language: string | undefined): void {
  useEffect(() => {
    const own = languageFrom(language)
    if (!own || languageChosen() || own === wordingNow().lang) return
    void changeLanguage(own)
      .then(() => store.drop('langXmlNumber'))
      .catch(() => undefined)
  }, [language])
}

function useLogo(endpoint: Endpoint<any, any>, key: string, hasLogo: boolean): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!hasLogo) return
    let made: string | undefined
    let isGone = false
    void callBytes(endpoint, { key }, { quiet: true })
      .then(({ blob }) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [endpoint, key, hasLogo])
  return url
}
