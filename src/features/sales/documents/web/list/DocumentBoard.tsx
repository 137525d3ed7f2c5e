import { Clock, FilePlus2, FileText, List } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { statusFacts, statusesThat } from '#domain/documents/facts.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { useNews } from '#kit/web/calls/live.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Board as Columns } from '#kit/web/parts/Board.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import type { BoardProps } from '#kit/web/screens/boards.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { initials } from '#kit/web/shell/Header.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { boardStates, documentBoard, type BoardDocument } from '../../endpoints.ts'
import { editorPath, pagePath } from '../../types/index.ts'
import { nextTypes } from '../page/next.ts'
import { documentName } from '../words.ts'
import { BoardDeed } from './BoardDeed.tsx'
import '../documents.css'

interface Row extends BoardDocument {
  title: string
  columnId: string
}
type State = BoardDocument['state']

/** Open papers: issued, and not done with. */
const open: readonly State[] = [...statusesThat('isOpen'), 'sent']

export const Quotes = (props: BoardProps) => <DocumentBoard {...props} type={1} />
export const Orders = (props: BoardProps) => <DocumentBoard {...props} type={2} />

/**
 * Documents in columns by their state. A card moves by an action on the document, and by nothing else: each drop
 * asks for its action.
 */
function DocumentBoard({ type, chooser, actions }: BoardProps & { type: 1 | 2 }) {
  const t = useWords()
  const { lang } = useLanguage()
  const may = useCan()
  const session = useSession()
  const hides = session?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const company = useCall(getCompany, {})
  const { data, error } = useCall(documentBoard, { type })
  useNews(['documents'], () => void queryClient.invalidateQueries({ queryKey: [documentBoard.name] }))
  const name = t(`documents.typesPlural.${documentTypeById(type)}`)
  const q = (query.q ?? '').trim().toLowerCase()
  const today = useToday()
  const next = may('documents.draft') && !hides ? nextTypes(type, company.data?.kind, session) : []

  const rows = useMemo(
    () =>
      (data?.rows ?? [])
        .filter((one) => !q || `${one.number ?? ''} ${one.customer} ${one.subject}`.toLowerCase().includes(q))
        .map((one): Row => ({
          ...one,
          title: [documentName(t, type, one.number, one.label), one.customer].filter(Boolean).join(' · '),
          columnId: one.state,
        })),
    [data, q, t, type],
  )
  const columns = useMemo(
    () =>
      boardStates.map((state) => {
        const here = rows.filter((one) => one.state === state)
        const head = data?.columns.find((one) => one.state === state)
        const sum = q ? here.reduce((all, one) => all + one.ilsTotalAgorot, 0) : (head?.sumAgorot ?? 0)
        const isCut = !q && head !== undefined && head.count > here.length
        return {
          id: state,
          name: state === 'sent' ? t('documents.state.sent') : t(`documents.status.${state}`),
          ...(isCut || (sum > 0 && !hides)
            ? {
                end: (
                  <>
                    {isCut && t('documents.board.of', { count: head.count })}{' '}
                    {sum > 0 && !hides && <Num>{inShort(sum, 'ILS', lang)}</Num>}
                  </>
                ),
              }
            : {}),
        }
      }),
    [rows, data, q, hides, lang, t],
  )
  const mayGo = (card: Row, to: string): boolean => {
    if (statusFacts(card.state).isDraft) return to === 'issued' && may('documents.issue')
    if (to === 'sent') return card.state === 'issued' && may('documents.send')
    if (!open.includes(card.state)) return false
    if (to === 'closed') return next.length > 0
    return to === 'cancelled' && may('documents.cancel')
  }
  const isMovable =
    next.length > 0 || (['documents.issue', 'documents.send', 'documents.cancel'] as const).some(may)
  const pathOf = (card: Row) =>
    statusFacts(card.state).isDraft && may('documents.draft')
      ? editorPath(type, card.id)
      : pagePath(type, card.id)
  const deed = (id: string, to: string, into?: number) =>
    show((close) => <BoardDeed id={id} to={to} next={into === undefined ? next : [into]} onClose={close} />)
  const face = useCallback((card: Row) => <Face card={card} today={today} hides={hides} />, [today, hides])
  return (
    <>
      <PageHeader
        title={name}
        actions={
          <>
            {actions}
            <Button icon={List} href={`/invoice/documents/${type}`}>
              {t('documents.board.list')}
            </Button>
          </>
        }
      />
      <div className="doc-board">
        {chooser}
        <TextField
          label={t('documents.board.find')}
          hideLabel
          placeholder={t('documents.board.find')}
          value={query.q ?? ''}
          onChange={(text) => setQuery({ q: text || undefined })}
        />
      </div>
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <Columns<Row>
          label={name}
          columns={columns}
          cards={rows}
          face={face}
          menu={(card) => [
            { key: 'open', label: t('documents.board.open'), icon: FileText, href: pathOf(card) },
            ...(open.includes(card.state)
              ? next.map((one) => ({
                  key: String(one),
                  label: t(`documents.make.${documentTypeById(one)}`),
                  icon: FilePlus2,
                  onPress: () => deed(card.id, 'closed', one),
                }))
              : []),
          ]}
          mayGo={mayGo}
          onRefused={(_, to) =>
            banner.error(
              t('documents.board.refused', { column: columns.find(({ id }) => id === to)?.name ?? '' }),
              8000,
            )
          }
          onOpen={(card) => go(pathOf(card))}
          onMove={isMovable ? ({ id, columnId }) => deed(id, columnId) : undefined}
        />
      )}
    </>
  )
}

const inShort = (agorot: number, currency: string, lang: Parameters<typeof withCurrency>[2]): string =>
  withCurrency(agorot, currency, lang).replace('.00', '')

function Face({ card, today, hides }: { card: Row; today: string; hides: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const sum = hides ? undefined : inShort(card.totalAgorot, card.currency, lang)
  const isLate = card.validUntil !== null && card.validUntil < today && open.includes(card.state)
  return (
    <>
      <span className="t" title={card.title}>
        {card.number !== null && <Num>{card.number}</Num>}{' '}
        <bdi>{card.customer || t('documents.board.nobody')}</bdi>
      </span>
      {(sum || card.subject) && (
        <span className="s" title={card.subject}>
          {sum && <Num>{sum}</Num>}
          {sum && card.subject && ' · '}
          <bdi>{card.subject}</bdi>
        </span>
      )}
      <span className="foot">
        {card.validUntil ? (
          <span data-tone={isLate ? 'late' : undefined} title={t('documents.fields.validUntil')}>
            <Icon of={Clock} size="s" label={t('documents.fields.validUntil')} />
            <Num>{formatDay(card.validUntil)}</Num>
          </span>
        ) : (
          <Num>{formatDay(card.day)}</Num>
        )}
        {card.viewedAt && card.state === 'sent' && <span>{t('documents.state.viewed')}</span>}
        {card.agent && (
          <span className="k-who who" title={card.agent} role="img" aria-label={card.agent}>
            {initials(card.agent)}
          </span>
        )}
      </span>
    </>
  )
}
