import { CheckCheck, FileUp, Landmark, Scale } from 'lucide-react'
import { useRef, useState } from 'react'
import { recurringWords } from '#domain/matching/words.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { bankAccounts } from '#features/money/bank/bankAccounts.ts'
import { bankRules } from '../bankRules.ts'
import { acceptCertain, bankDesk, type OpenBankLine } from '../endpoints.ts'
import { BookDialog, type Suggested } from './BookDialog.tsx'
import { ByHand } from './ByHand.tsx'
import { Done } from './Done.tsx'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import './matching.css'
import { Proposals } from './Proposals.tsx'
import { refreshMatching } from './refresh.ts'
import { useNext } from './useNext.ts'

/**
 * Lines of the bank against the books: what is certain at one press, proposals with their reasons, the rest
 * by hand.
 */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const list = useCall(callsOf(bankAccounts).list, { size: 100 })
  const accounts = list.data?.rows ?? []
  // The one with most to do, when none was chosen.
  const first = accounts.toSorted((a, b) => Number(b.openLines ?? 0) - Number(a.openLines ?? 0))[0]
  const id = query.account ?? first?.id
  return (
    <>
      {!id && <PageHeader title={t('screens.bankMatching')} />}
      {list.error && !list.data ? (
        <Failed error={list.error} />
      ) : !list.data ? (
        <Skeleton />
      ) : id ? (
        <OneAccount
          key={id}
          id={id}
          accounts={accounts.map((row) => ({ value: row.id, label: String(row.name) }))}
        />
      ) : (
        <EmptyState
          icon={Landmark}
          title={t('bankaccounts.empty.title')}
          actions={
            <Button kind="primary" href={bankAccounts.screens.list}>
              {t('screens.bankList')}
            </Button>
          }
        >
          {t('bankaccounts.empty.text')}
        </EmptyState>
      )}
    </>
  )
}

function OneAccount({ id, accounts }: { id: string; accounts: { value: string; label: string }[] }) {
  const t = useWords()
  const may = useCan()
  const { data, error, refetch } = useCall(bankDesk, { id }, { staleTime: 0 })
  const [view, setView] = useState<'proposals' | 'hand' | 'done'>()
  const [busy, setBusy] = useState(false)
  const [booking, setBooking] = useState<Suggested>()
  const [ruling, setRuling] = useState<OpenBankLine>()
  const part = useRef<HTMLDivElement>(null)
  const goOnAt = useNext(part, data, '[role="tab"][aria-selected="true"]')
  const accept = async () => {
    goOnAt(0)
    setBusy(true)
    try {
      const { matched, booked, left, why } = await call(acceptCertain, { id })
      if (matched + booked || !left) banner.success(t('matching.accepted', { count: matched + booked }))
      if (why) banner.error(`${t('matching.left', { count: left })} ${t(`errors.${why.code}`, why.params)}`)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
    setBusy(false)
  }
  const certain = data?.proposals.filter((one) => one.confidence === 'certain').length ?? 0
  const mayChange = may('matching.change')
  const shown = view ?? (data && data.proposals.length === 0 && data.lines.length > 0 ? 'hand' : 'proposals')
  return (
    <>
      <PageHeader
        title={t('screens.bankMatching')}
        {...(data ? { sub: <bdi>{data.account.accountName}</bdi> } : {})}
        actions={
          <>
            {accounts.length > 1 && (
              <div className="ma-account">
                <ChoiceField
                  as="list"
                  hideLabel
                  label={t('matching.account')}
                  value={id}
                  choices={accounts}
                  onChange={(account) => account && go(`/invoice/atamotbank?account=${account}`)}
                />
              </div>
            )}
            <Button icon={Scale} href={`/invoice/bankreconciliation?bankAccount=${id}`}>
              {t('matching.report')}
            </Button>
            {mayChange && certain > 0 && (
              <Button kind="primary" icon={CheckCheck} busy={busy} onPress={() => void accept()}>
                {t('matching.acceptCertain', { count: certain })}
              </Button>
            )}
          </>
        }
      />
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton />
      ) : data.since === null ? (
        <EmptyState
          icon={FileUp}
          title={t('bank.empty.title')}
          actions={
            <Button kind="primary" icon={FileUp} href={`/invoice/banklist/${id}`}>
              {t('bank.upload.choose')}
            </Button>
          }
        >
          {t('bank.empty.text')}
        </EmptyState>
      ) : (
        <div className="ma-page">
          <Figures label={t('matching.figures')}>
            {data.bankAgorot !== null && (
              <Figure
                label={t('matching.bankBalance')}
                value={<Money amount={data.bankAgorot} currency={data.account.currency} />}
                href={`/invoice/banklist/${id}`}
              />
            )}
            <Figure
              label={t('matching.ledgerBalance')}
              value={<Money amount={data.ledgerAgorot} currency={data.account.currency} />}
              href={`/invoice/cardskarteset/${data.account.accountId}`}
              {...(data.carriedAgorot === null
                ? {}
                : {
                    note: (
                      <>
                        {t('matching.carried')} <Money amount={data.carriedAgorot} />
                      </>
                    ),
                  })}
            />
            {data.bankAgorot !== null && (
              <Figure
                label={t('matching.difference')}
                value={
                  <Money amount={data.bankAgorot - data.ledgerAgorot} currency={data.account.currency} />
                }
                tone="result"
                size="s"
                href={`/invoice/bankreconciliation?bankAccount=${id}`}
              />
            )}
          </Figures>
          {data.more && <Note>{t('matching.more')}</Note>}
          <div ref={part}>
            <Views
              label={t('screens.bankMatching')}
              value={shown}
              onChange={setView}
              controls="matching-part"
              views={[
                { key: 'proposals', label: t('matching.views.proposals'), count: data.proposals.length },
                { key: 'hand', label: t('matching.views.hand'), count: data.lines.length },
                { key: 'done', label: t('matching.views.done'), count: data.matched },
              ]}
            />
            <div id="matching-part" className="ma-part">
              {shown === 'proposals' ? (
                <Proposals
                  desk={data}
                  mayChange={mayChange}
                  onBook={setBooking}
                  onHand={() => setView('hand')}
                />
              ) : shown === 'hand' ? (
                <ByHand desk={data} mayChange={mayChange} onBook={setBooking} onRule={setRuling} />
              ) : (
                <Done id={id} mayChange={mayChange} />
              )}
            </div>
          </div>
        </div>
      )}
      {booking && data && (
        <BookDialog account={data.account} suggested={booking} onClose={() => setBooking(undefined)} />
      )}
      {ruling && (
        <RecordSheet
          resource={bankRules}
          values={{
            contains: recurringWords(ruling.text || ruling.details),
            direction: ruling.amountAgorot < 0 ? 'out' : 'in',
          }}
          onClose={() => setRuling(undefined)}
          onSaved={() => {
            setRuling(undefined)
            banner.success(t('matching.rule.made'))
            void refreshMatching()
          }}
        />
      )}
    </>
  )
}
