import { Check, CheckCheck, Link2, ListChecks, PartyPopper, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type Ref } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { partToZero } from '#domain/matching/zero.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable, type Column, type TableHand } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useChiefKey } from '#kit/web/parts/useKeys.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useKeysHelp } from '#kit/web/shell/registry.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { cardDesk, matchCard, undoMatch, type CardRow } from '../endpoints.ts'
import './matching.css'
import { refreshMatching } from './refresh.ts'
import { postingColumns, postingText } from './sides.tsx'
import { nextOf, useNext } from './useNext.ts'

const kinds = ['accounts', 'customers', 'suppliers'] as const
type Kind = (typeof kinds)[number]

/** Lines of one card whose total is zero. The card is in the address. */
export function Screen() {
  const t = useWords()
  const { query } = usePlace()
  const given: Kind = query.party ? (query.kind === 'suppliers' ? 'suppliers' : 'customers') : 'accounts'
  const [kind, setKind] = useState<Kind>(given)
  const id = query.account ?? query.party
  const resource = resourceNamed(kind)
  const of = query.party ? { partyId: query.party } : { accountId: id }
  const { data } = useCall(cardDesk, of, { enabled: id !== undefined })
  const [isChosen, setIsChosen] = useState(false)
  const choose = (option: Option | null) => {
    if (!option) return
    setIsChosen(true)
    go(
      kind === 'accounts'
        ? `/invoice/atamot?account=${option.key}`
        : `/invoice/atamot?party=${option.key}&kind=${kind}`,
    )
  }
  return (
    <>
      <PageHeader title={t('screens.cardMatching')} />
      <div className="ma-page">
        <Card label={t('matching.card.choose')}>
          <div className="ma-choose">
            <ChoiceField
              label={t('matching.card.kind')}
              value={kind}
              choices={kinds.map((value) => ({ value, label: t(`matching.card.kinds.${value}`) }))}
              onChange={(value) => value && setKind(value)}
            />
            {resource && (
              <RefField
                key={`${kind}:${id ?? ''}`}
                label={t(`matching.card.which.${kind}`)}
                value={id && data && kind === given ? { key: id, label: data.name } : null}
                onChange={choose}
                search={searchIn(resource)}
              />
            )}
          </div>
        </Card>
        {id ? (
          <OneCard key={id} of={of} begins={isChosen} />
        ) : (
          <EmptyState icon={ListChecks} title={t('matching.card.none')}>
            {t('matching.card.noneText')}
          </EmptyState>
        )}
      </div>
    </>
  )
}

interface CardProps {
  of: { accountId?: string; partyId?: string }
  /** Just chosen: the cursor goes on into its lines. */
  begins: boolean
}

function OneCard({ of, begins }: CardProps) {
  const t = useWords()
  const [all, setAll] = useState(false)
  const { data, error, refetch } = useCall(
    cardDesk,
    { ...of, ...(all ? { all: 'true' as const } : {}) },
    { placeholderData: (old) => old },
  )
  if (error && !data)
    return error instanceof CallFailure && error.code === 'matching.cardOfBank' ? (
      <EmptyState
        icon={Link2}
        title={t('matching.card.ofBank')}
        actions={<Button href="/invoice/atamotbank">{t('screens.bankMatching')}</Button>}
      >
        {t('errors.matching.cardOfBank')}
      </EmptyState>
    ) : (
      <Failed error={error} onRetry={refetch} />
    )
  if (!data) return <Skeleton />
  return <Desk of={of} begins={begins} data={data} all={all} onAll={setAll} />
}

function Desk({
  of,
  begins,
  data,
  all,
  onAll,
}: CardProps & { data: OutputOf<typeof cardDesk>; all: boolean; onAll: (all: boolean) => void }) {
  const t = useWords()
  const may = useCan()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const hand = useRef<TableHand>(null)
  useEffect(() => {
    if (begins) hand.current?.goTo()
  }, [begins])
  const list = useRef<HTMLUListElement>(null)
  const goOnAt = useNext(list, data.proposals, 'li > :last-child > :last-child')
  const rowOf = new Map(data.rows.map((row) => [row.key, row]))
  // In the order they were ticked: where they do not come to zero, the last one that can gives only a part of
  // itself.
  const chosen = [...ticked].flatMap((key) => rowOf.get(key) ?? []).filter((row) => row.openAgorot !== 0)
  const difference = chosen.reduce((sum, row) => sum + row.openAgorot, 0)
  const part = partToZero(chosen.map((row) => ({ key: row.key, amount: row.openAgorot })))
  const byTicks = chosen.map((row) => row.key)
  const byHand = data.byDocuments === null && may('matching.change')
  const match = async (groups: string[][], partly?: { key: string; amountAgorot: number } | null) => {
    if (!of.accountId) return
    setBusy(true)
    const from = document.activeElement
    try {
      const { rows } = await call(matchCard, {
        accountId: of.accountId,
        groups,
        ...(partly ? { partly: [partly] } : {}),
      })
      banner.success(t('matching.card.matched', { count: rows.length }))
      // The next line of the card, for the person who matched by ticks and has not gone elsewhere meanwhile.
      if (groups[0] === byTicks && document.activeElement === from)
        hand.current?.goTo(nextOf(data.rows, (row) => ticked.has(row.key) && row.key !== partly?.key))
      setTicked(new Set())
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
    setBusy(false)
  }
  const certain = data.proposals.filter((one) => one.certain)
  const blocked =
    chosen.length < 2 ? t('matching.tickMore') : difference === 0 || part ? undefined : t('matching.notZero')
  const giving = chosen.length >= 2 && part ? rowOf.get(part.key) : undefined
  const matchTicked = () => {
    if (busy) return
    if (blocked) return void banner.info(blocked, 5000)
    void match([byTicks], giving && part ? { key: part.key, amountAgorot: part.amount } : null)
  }
  useChiefKey(byHand && chosen.length > 0 ? matchTicked : undefined)
  useKeysHelp(
    useMemo(
      () => ({ title: t('screens.cardMatching'), keys: [{ keys: 'Ctrl ↵', does: t('matching.match') }] }),
      [t],
    ),
  )
  return (
    <>
      <Card
        title={<bdi>{data.name}</bdi>}
        end={
          <>
            <span className="hint">{t('matching.card.open')}</span> <Money amount={data.openAgorot} />
          </>
        }
      >
        <FlagField label={t('matching.card.all')} value={all} onChange={onAll} />
        {data.byDocuments && <Note>{t(`matching.card.byDocuments.${data.byDocuments}`)}</Note>}
        {data.more && <Note>{t('matching.more')}</Note>}
      </Card>
      {byHand && data.proposals.length > 0 && (
        <Card
          title={t('matching.views.proposals')}
          end={
            certain.length > 0 && (
              <Button
                kind="primary"
                size="s"
                icon={CheckCheck}
                busy={busy}
                onPress={() => {
                  goOnAt(0)
                  void match(certain.map((one) => one.keys))
                }}
              >
                {t('matching.acceptCertain', { count: certain.length })}
              </Button>
            )
          }
        >
          <ul className="ma-proposals" ref={list}>
            {data.proposals.slice(0, 30).map((one, place) => (
              <li key={one.keys[0]} className="ma-debt">
                <span>
                  <StatusPill tone={one.certain ? 'done' : 'info'}>
                    {t(`matching.confidence.${one.certain ? 'certain' : 'likely'}`)}
                  </StatusPill>{' '}
                  {t('matching.card.lines', { count: one.keys.length })} · {t(`matching.zero.${one.reason}`)}{' '}
                  · <Money amount={one.amountAgorot} />
                </span>
                <span className="ma-deeds">
                  <Button
                    kind="quiet"
                    size="s"
                    onPress={() => {
                      setTicked(new Set(one.keys))
                      hand.current?.goTo(data.rows.findIndex((row) => one.keys.includes(row.key)))
                    }}
                  >
                    {t('matching.card.show')}
                  </Button>
                  <Button
                    kind="soft"
                    size="s"
                    icon={Check}
                    busy={busy}
                    onPress={() => {
                      goOnAt(place)
                      void match([one.keys], one.partly)
                    }}
                  >
                    {t('matching.match')}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Lines
        hand={hand}
        rows={data.rows}
        byHand={byHand}
        byDocuments={data.byDocuments !== null}
        ticked={ticked}
        onTick={setTicked}
      />
      <SelectionBar
        count={chosen.length}
        sums={[
          { label: t('matching.difference'), value: <Money amount={difference} /> },
          ...(giving && part
            ? [
                {
                  label: t('matching.card.staysOpen'),
                  value: (
                    <>
                      <Money amount={giving.openAgorot - part.amount} /> · <Num>{formatDay(giving.day)}</Num>
                      {giving.reference && (
                        <>
                          {' '}
                          · <Num>{giving.reference}</Num>
                        </>
                      )}
                    </>
                  ),
                },
              ]
            : []),
        ]}
        onClear={() => setTicked(new Set())}
      >
        <Button
          kind="quiet"
          size="s"
          hi
          icon={Link2}
          keys="Ctrl ↵"
          busy={busy}
          onPress={matchTicked}
          {...(blocked ? { blocked } : {})}
        >
          {t(giving ? 'matching.matchPart' : 'matching.match')}
        </Button>
      </SelectionBar>
    </>
  )
}

interface LinesProps {
  hand: Ref<TableHand>
  rows: CardRow[]
  byHand: boolean
  byDocuments: boolean
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}

function Lines({ hand, rows, byHand, byDocuments, ticked, onTick }: LinesProps) {
  const t = useWords()
  const undo = async (id: string) => {
    try {
      await call(undoMatch, { id })
      banner.success(t('matching.undone.open'))
    } catch (e) {
      banner.error(failureText(t, e))
    }
    await refreshMatching()
  }
  const last: Column<CardRow>[] = byDocuments
    ? [
        {
          key: 'closedBy',
          title: t('matching.card.closedBy'),
          width: 'fit',
          cell: (row) => <Num>{row.closedBy}</Num>,
        },
        {
          key: 'open',
          title: t('matching.card.openSum'),
          align: 'amount',
          cell: (row) =>
            row.applyPath ? (
              <Link className="link" href={row.applyPath}>
                <MoneyCell value={row.openAgorot} />
              </Link>
            ) : (
              <MoneyCell value={row.openAgorot} />
            ),
        },
      ]
    : [
        {
          key: 'open',
          title: t('matching.card.openSum'),
          align: 'amount',
          phone: 'line',
          cell: (row) => <MoneyCell value={row.openAgorot} zero="blank" />,
        },
        {
          key: 'match',
          title: t('matching.card.number'),
          width: 'fit',
          phone: 'state',
          cell: (row) =>
            row.matches.length > 0 && (
              <span className="ma-numbers">
                {row.matches.map(({ id, number }) => (
                  <StatusPill key={id} tone={row.openAgorot === 0 ? 'done' : 'info'}>
                    {t('matching.number', { number: String(number) })}
                  </StatusPill>
                ))}
              </span>
            ),
        },
      ]
  return (
    <DataTable<CardRow>
      label={t('matching.card.rows')}
      main
      density="dense"
      hand={hand}
      rows={rows}
      rowKey={(row) => row.key}
      rowName={postingText}
      isOff={(row) => !byDocuments && row.openAgorot === 0}
      columns={[...postingColumns<CardRow>(t), ...last]}
      empty={<EmptyState icon={PartyPopper} title={t('matching.allMatched')} />}
      {...(byHand
        ? {
            selected: ticked,
            onSelect: onTick,
            menu: (row: CardRow) =>
              row.matches.map(({ id, number }) => ({
                key: id,
                label:
                  row.matches.length === 1
                    ? t('matching.undo')
                    : t('matching.undoNumber', { number: String(number) }),
                icon: Undo2,
                m: true,
                onPress: () => void undo(id),
              })),
          }
        : {})}
    />
  )
}
