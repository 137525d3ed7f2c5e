import { Check } from 'lucide-react'
import { formatMoney } from '#domain/format.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useSession } from '#kit/web/session.ts'
import { useWords } from '#kit/web/words.tsx'
import { plans } from './contact.ts'
import './legal.css'

/** What it costs, side by side; every plan begins with the free days. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  return (
    <div className="l-pricing">
      <header>
        <h1>{t('screens.pricing')}</h1>
        <p>{t('legal.pricing.sub')}</p>
      </header>
      <ul className="l-plans">
        {plans.map(({ name, monthAgorot, documents, users, companies }) => (
          <li key={name} data-main={name === 'business' ? '' : undefined}>
            <h2>{t(`legal.plan.${name}`)}</h2>
            <p className="for">{t(`legal.plan.${name}.for`)}</p>
            <p className="price">
              <bdi className="num">
                <span className="sg">₪</span>
                {formatMoney(monthAgorot).replace(/\.00$/, '')}
              </bdi>{' '}
              <span>{t('legal.pricing.month')}</span>
            </p>
            <ul>
              {[
                documents === undefined ? t('legal.pricing.allDocuments') : t('legal.pricing.documents', { count: documents }),
                t('legal.pricing.users', { count: users }),
                t('legal.pricing.companies', { count: companies }),
                ...[1, 2].map((n) => t(`legal.plan.${name}.has${n}`)),
              ].map((line) => (
                <li key={line}>
                  <Icon of={Check} />
                  <span>{line}</span>
                </li>
              ))}
            </ul>
            {!session && (
              <Button kind={name === 'business' ? 'primary' : 'plain'} wide href={`/signupinvoice${location.search}`}>
                {t('legal.pricing.start')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="hint">{t('legal.pricing.foot')}</p>
    </div>
  )
}
