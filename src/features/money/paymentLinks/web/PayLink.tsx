import { CreditCard, Landmark, Link2Off, Smartphone } from 'lucide-react'
import { useEffect, useState, type FormEvent } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, fieldErrors, keyOf, queryClient, useCall, useSend } from '#kit/web/calls/call.ts'
import { EmailField, PhoneField, TaxIdField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { CopyCard } from '#kit/web/public/CopyCard.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { Unanswered } from '#kit/web/public/Unanswered.tsx'
import { useReturn } from '#kit/web/public/useReturn.ts'
import { useWords } from '#kit/web/words/words.tsx'
import type { Wallet } from '#features/money/acquirers/acquirers.ts'
import { beginLink, checkLink, linkLogo, linkPage } from '../endpoints.ts'
import { isInDoubt, Paid, Trouble } from './Outcome.tsx'
import './paymentLinks.css'
import { Wallets } from './Wallets.tsx'

/**
 * The person who was sent a payment link sees who asks for how much and pays; the key in the address is the right.
 */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(linkPage, { key }, { refetchOnWindowFocus: false })
  const { outcome, failure, isChecking, again } = useReturn((input) => call(checkLink, input), key, {
    isInDoubt,
    onKnown: () => void queryClient.invalidateQueries({ queryKey: keyOf(linkPage) }),
  })
  const onward = outcome?.state === 'paid' ? asked.data?.successUrl : ''
  // After paying, the payer sees a confirmation and is led on.
  useEffect(() => {
    if (!onward) return undefined
    const timer = setTimeout(() => void (location.href = onward), 2500)
    return () => clearTimeout(timer)
  }, [onward])
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={linkLogo}
      title={(data) => data.description}
      missing={{
        icon: Link2Off,
        title: t('paymentLinks.pay.notFound'),
        text: t('paymentLinks.pay.notFoundText'),
      }}
    >
      {(data) => {
        const isPaid = data.state === 'paid' || outcome?.state === 'paid'
        return (
          <>
            {data.test && !isPaid && <Note tone="wait">{t('paymentLinks.pay.test')}</Note>}
            <Lead
              label={data.description}
              title={<bdi>{data.description}</bdi>}
              sum={<Money amount={data.amountAgorot} />}
            >
              {data.customer && (
                <p className="sub">
                  {t('documents.pay.for')} <bdi>{data.customer}</bdi>
                </p>
              )}
              {isChecking ? (
                <p role="status">{t('paymentLinks.pay.checking')}</p>
              ) : outcome?.state === 'surplus' ? (
                <Paid paper={null} thanks="" surplus />
              ) : isPaid ? (
                <Paid paper={outcome?.paper ?? data.paper} thanks={data.thanks} />
              ) : data.state !== 'open' ? (
                <Note tone="wait">{t(`paymentLinks.pay.${data.state}`)}</Note>
              ) : failure ? (
                <Unanswered failure={failure} again={again} />
              ) : outcome && isInDoubt(outcome) ? (
                <Unanswered again={again}>{t('paymentLinks.pay.inDoubt')}</Unanswered>
              ) : (
                <>
                  <Trouble outcome={outcome} />
                  {data.expiresOn && (
                    <p className="sub">
                      {t('paymentLinks.share.until')} <Num>{formatDay(data.expiresOn)}</Num>
                    </p>
                  )}
                  {data.online ? (
                    <PayForm
                      pageKey={key}
                      asksPayer={data.asksPayer}
                      donation={data.donation}
                      keeping={data.keeping}
                      most={data.mostInstalments}
                      wallets={data.wallets}
                    />
                  ) : (
                    !data.bankDetails &&
                    !data.phonePayment && <p className="sub">{t('paymentLinks.pay.noCards')}</p>
                  )}
                </>
              )}
              {!isChecking && (
                <Ways to={isPaid ? data.successUrl : data.errorUrl} word={isPaid ? 'goOn' : 'goBack'} />
              )}
            </Lead>
            {!isPaid && data.state === 'open' && (
              <>
                <CopyCard title={t('documents.pay.transfer')} icon={Landmark} text={data.bankDetails} />
                <PhonePayment to={data.phonePayment} />
              </>
            )}
          </>
        )
      }}
    </BusinessPage>
  )
}

/** Where the author of the link leads the payer; nothing where none was set. */
function Ways({ to, word }: { to: string; word: 'goOn' | 'goBack' }) {
  const t = useWords()
  if (!to) return null
  return (
    <p>
      <a className="aim" href={to}>
        {t(`paymentLinks.pay.${word}`)}
      </a>
    </p>
  )
}

/** A payment app, in the business's own words. */
export function PhonePayment({ to }: { to: string }) {
  const t = useWords()
  return <CopyCard title={t('paymentLinks.pay.phonePayment')} icon={Smartphone} text={to} />
}

interface PayFormProps {
  pageKey: string
  asksPayer: boolean
  donation: boolean
  /** What the payer may agree to beside, where that is offered. */
  keeping: string
  most: number
  wallets: readonly Wallet[]
}

function PayForm({ pageKey, asksPayer, donation, keeping, most, wallets }: PayFormProps) {
  const t = useWords()
  const [keeps, setKeeps] = useState(false)
  const [payer, setPayer] = useState({ name: '', email: '', phone: '', taxId: '' })
  const put = (change: Partial<typeof payer>) => setPayer((before) => ({ ...before, ...change }))
  const begin = useSend(beginLink, { onSuccess: ({ url }) => void (location.href = url) })
  const opening = begin.isPending ? begin.variables?.wallet : undefined
  const refused = begin.error
    ? fieldErrors(t, begin.error, ['payer.name', 'payer.email', 'payer.phone', 'payer.taxId'])
    : undefined
  const errorOf = (name: keyof typeof payer) => {
    const said = refused?.fields[`payer.${name}`]
    return said ? { error: said } : {}
  }
  const pay = (wallet?: Wallet) =>
    begin.mutate({
      key: pageKey,
      ...(asksPayer ? { payer } : {}),
      ...(wallet ? { wallet } : keeps ? { keepsCard: true } : {}),
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    pay()
  }
  return (
    <form className="pl-stack" onSubmit={submit} noValidate>
      {refused?.rest && <Note tone="late">{refused.rest}</Note>}
      {asksPayer && (
        <>
          <TextField
            label={t('paymentLinks.pay.name')}
            name="name"
            autoComplete="name"
            max={200}
            value={payer.name}
            onChange={(name) => put({ name })}
            {...errorOf('name')}
          />
          <EmailField
            label={t('paymentLinks.pay.email')}
            name="email"
            optional
            hint={t('paymentLinks.pay.emailHint')}
            value={payer.email}
            onChange={(email) => put({ email })}
            {...errorOf('email')}
          />
          <PhoneField
            label={t('paymentLinks.pay.phone')}
            name="phone"
            optional
            value={payer.phone}
            onChange={(phone) => put({ phone })}
            {...errorOf('phone')}
          />
          {donation && (
            <TaxIdField
              label={t('paymentLinks.pay.taxId')}
              name="taxId"
              optional
              hint={t('paymentLinks.pay.taxIdHint')}
              value={payer.taxId}
              onChange={(taxId) => put({ taxId })}
              {...errorOf('taxId')}
            />
          )}
        </>
      )}
      {keeping && (
        <FlagField
          label={t('paymentLinks.pay.keep')}
          // In the language of the link, whichever the page is read in.
          hint={
            <span dir="auto" className="block">
              {keeping}
            </span>
          }
          value={keeps}
          onChange={setKeeps}
          name="keepsCard"
        />
      )}
      <Button type="submit" kind="primary" size="l" icon={CreditCard} busy={begin.isPending && !opening}>
        {t('paymentLinks.pay.card')}
      </Button>
      {most > 1 && <p className="sub">{t('paymentLinks.pay.instalments', { count: most })}</p>}
      {/* A wallet saves no card: payers who want theirs saved pay by card. */}
      {!keeps && <Wallets of={wallets} opening={opening} onPay={pay} />}
    </form>
  )
}
