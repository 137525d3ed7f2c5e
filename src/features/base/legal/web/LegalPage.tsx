import { Printer } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useBrand } from '#kit/web/words/wording.ts'
import { useLanguage, useWords, type Language } from '#kit/web/words/words.tsx'
import { legalContact } from '../endpoints.ts'
import { versions } from '../versions.ts'
import type { LegalTexts } from './texts/shape.ts'
import './legal.css'

/** Long texts are loaded separately, in one language: the dictionary of every start stays light. */
const load: Record<Language, () => Promise<{ texts: LegalTexts; product: string }>> = {
  he: () => import('./texts/he.ts'),
  en: () => import('./texts/en.ts'),
  ar: () => import('./texts/ar.ts'),
  ru: () => import('./texts/ru.ts'),
  fr: () => import('./texts/fr.ts'),
}

/** A legal text with its version and date; prints as a plain page. */
export function LegalPage({ page }: { page: keyof LegalTexts }) {
  const t = useWords()
  const { lang } = useLanguage()
  const [held, setHeld] = useState<{ lang: Language; texts: LegalTexts; product: string }>()
  useEffect(() => {
    let wanted = true
    void load[lang]().then(({ texts, product }) => wanted && setHeld({ lang, texts, product }))
    return () => void (wanted = false)
  }, [lang])
  const brand = useBrand()
  const { data: contact, error } = useCall(legalContact, {}, { staleTime: 600_000 })
  const mail =
    contact &&
    {
      terms: contact.mail,
      termsOld: contact.mail,
      privacy: contact.privacy,
      accessibility: contact.accessibility.mail,
    }[page]
  const text = held?.lang === lang ? held.texts[page] : undefined
  const { version, day } = versions[page]
  return (
    <article className="l-page">
      <header>
        <h1>{t(`screens.${page}`)}</h1>
        <p className="hint">
          {t('legal.version')} <bdi className="num">{version}</bdi> ·{' '}
          <bdi className="num">{formatDay(day)}</bdi>
        </p>
        <Button icon={Printer} className="l-print" onPress={() => print()}>
          {t('legal.print')}
        </Button>
      </header>
      {text && (contact || error) ? (
        <>
          <p className="intro">
            {text.intro.replaceAll('{name}', brand.isDealer ? brand.name : held!.product)}
          </p>
          {text.sections.map(({ title, body }, i) => (
            <section key={title}>
              <h2>
                <bdi className="num">{i + 1}.</bdi> {title}
              </h2>
              {body.map((one) => (
                <p key={one}>
                  <WithMail text={one} mail={mail} />
                </p>
              ))}
            </section>
          ))}
          {page === 'accessibility' &&
            contact &&
            (contact.accessibility.name || contact.accessibility.phone) && (
              <p>
                {t('legal.coordinator')}:{' '}
                {contact.accessibility.name && <bdi>{contact.accessibility.name}</bdi>}
                {contact.accessibility.phone && (
                  <>
                    {contact.accessibility.name && ' · '}
                    <a className="link aim" href={`tel:${contact.accessibility.phone}`}>
                      <bdi className="num">{contact.accessibility.phone}</bdi>
                    </a>
                  </>
                )}
              </p>
            )}
          {page === 'terms' && (
            <p>
              <Link className="link aim" href="/termsold">
                {t('screens.termsOld')}
              </Link>
            </p>
          )}
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

function WithMail({ text, mail }: { text: string; mail: string | undefined }) {
  return text.split('{mail}').map((part, i) => (
    <Fragment key={i}>
      {i > 0 && mail && (
        <a className="link" href={`mailto:${mail}`}>
          <bdi className="num">{mail}</bdi>
        </a>
      )}
      {part}
    </Fragment>
  ))
}
