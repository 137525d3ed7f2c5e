import { CircleCheck, CreditCard, Link2Off, ShieldCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, fieldErrors, keyOf, queryClient, useCall, useSend } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { Unanswered } from '#kit/web/public/Unanswered.tsx'
import { useReturn } from '#kit/web/public/useReturn.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { beginCard, cardLogo, cardPage, checkCard } from '../endpoints.ts'
import { CardName, endless, monthYear } from './says.tsx'
import './savedCards.css'

type Page = OutputOf<typeof cardPage>

/** A customer saves a card: reads the consent, and enters the number at the acquirer. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(cardPage, { key }, { refetchOnWindowFocus: false })
  const { outcome, failure, isChecking, again } = useReturn((input) => call(checkCard, input), key, {
    isInDoubt: ({ state }) => state === 'inDoubt',
    onKnown: () => void queryClient.invalidateQueries({ queryKey: keyOf(cardPage) }),
  })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={cardLogo}
      title={() => t('screens.saveCard')}
      missing={{
        icon: Link2Off,
        title: t('savedCards.page.notFound'),
        text: t('savedCards.page.notFoundText'),
      }}
    >
      {(data) => (
        <>
          {data.test && data.state === 'open' && <Note tone="wait">{t('savedCards.page.test')}</Note>}
          <Lead
            label={t('screens.saveCard')}
            title={t(data.renews ? 'savedCards.page.renewTitle' : 'savedCards.page.title', {
              business: data.business.name,
            })}
          >
            {data.customer && (
              <p className="sub">
                <bdi>{data.customer}</bdi>
              </p>
            )}
            {isChecking ? (
              <p role="status">{t('savedCards.page.checking')}</p>
            ) : data.state === 'done' || outcome?.state === 'done' ? (
              <Done of={data} />
            ) : data.state !== 'open' ? (
              <Note tone="wait">{t(`savedCards.page.${data.state}`)}</Note>
            ) : !data.online ? (
              <Note tone="wait">{t('savedCards.page.noCards')}</Note>
            ) : failure ? (
              <Unanswered failure={failure} again={again} />
            ) : outcome?.state === 'inDoubt' ? (
              <Unanswered again={again}>{t('savedCards.page.inDoubt')}</Unanswered>
            ) : (
              <>
                {(outcome?.state === 'declined' || outcome?.state === 'lapsed') && (
                  <Note tone="late">{t(`savedCards.page.${outcome.state}`)}</Note>
                )}
                <Agree of={data} pageKey={key} />
              </>
            )}
          </Lead>
        </>
      )}
    </BusinessPage>
  )
}

function Agree({ of, pageKey: key }: { of: Page; pageKey: string }) {
  const t = useWords()
  const [agrees, setAgrees] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const begin = useSend(beginCard, { onSuccess: ({ url }) => void (location.href = url) })
  const refused = begin.error ? fieldErrors(t, begin.error, ['agrees']) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(!agrees)
    if (agrees) begin.mutate({ key, agrees: true })
  }
  return (
    <form className="sc-stack" onSubmit={submit} noValidate>
      {of.renews && (
        <p className="sub">
          {t('savedCards.page.renews')} <CardName brand={of.renews.brand} last4={of.renews.last4} />{' '}
          <Num>{monthYear(of.renews.expiry)}</Num>
        </p>
      )}
      {refused?.rest && <Note tone="late">{refused.rest}</Note>}
      <FlagField
        label={<bdi>{of.consent}</bdi>}
        value={agrees}
        onChange={(on) => {
          setAgrees(on)
          setMissing(false)
        }}
        name="agrees"
        {...(isMissing ? { error: t('savedCards.page.agreeFirst') } : {})}
      />
      <Button type="submit" kind="primary" size="l" icon={CreditCard} busy={begin.isPending}>
        {t('savedCards.page.go')}
      </Button>
      <p className="hint sc-safe">
        <Icon of={ShieldCheck} size="s" /> <span>{t('savedCards.page.safe')}</span>
      </p>
    </form>
  )
}

function Done({ of }: { of: Page }) {
  const t = useWords()
  return (
    <div className="sc-done" role="status">
      <Icon of={CircleCheck} />
      <div>
        <strong>{t('savedCards.page.done')}</strong>
        {of.saved && (
          <p>
            <CardName brand={of.saved.brand} last4={of.saved.last4} />{' '}
            {!endless(of.saved.expiry) && <Num>{monthYear(of.saved.expiry)}</Num>}
          </p>
        )}
        <p className="sub">{t('savedCards.page.doneText')}</p>
      </div>
    </div>
  )
}
