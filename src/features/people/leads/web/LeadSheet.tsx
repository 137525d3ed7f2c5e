import { Archive, FilePlus2, Mail, MessageCircle, Pencil, Phone, ThumbsDown, Trophy } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { documentTypes } from '#domain/documents/kinds.ts'
import { formatDay, formatMoment, withCurrency } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailCell, PhoneCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { ReadSheet } from '#kit/web/screens/ReadSheet.tsx'
import { type AnyRow } from '#kit/web/screens/resources.ts'
import { moveRecords } from '#kit/web/screens/useList.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { go } from '#kit/web/routes/place.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { editorPath } from '#features/sales/documents/types/index.ts'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import { Timeline } from '#features/people/contacts/web/index.tsx'
import { TaskList } from '#features/people/tasks/web/index.tsx'
import { inventedText } from '#kit/web/fields/InventedInput.tsx'
import {
  leadHistory,
  leadMessage,
  leadTwins,
  listStages,
  moveLead,
  quoteLead,
  type LeadStage,
} from '../endpoints.ts'
import { leads, type Lead } from '../leads.ts'
import { clockText, Dot, OutcomePill, useKinds } from './dress.tsx'
import { LoseDialog } from './LoseDialog.tsx'
import { refreshLeads } from './shared.ts'
import { WinDialog } from './WinDialog.tsx'
import './leads.css'

type Row = AnyRow & Lead & Record<string, string | null>
const parts = ['facts', 'line', 'tasks', 'history', 'files'] as const

/** A lead beside the list or the board: who, what, its stage, and everything with it. */
export function LeadSheet({ id, onClose }: { id: string; onClose: () => void }) {
  useWordsOf('leads')
  const t = useWords()
  const may = useCan()
  const { data, error } = useRecord(leads, id)
  const stages = useCall(listStages, {}).data?.rows ?? []
  const [part, setPart] = useState<(typeof parts)[number]>('facts')
  const lead = data as Row | undefined
  const mayChange = may('leads.change') && lead?.archivedAt === null
  const lost = stages.find(({ outcome }) => outcome === 'lost')
  const startQuote = async () => {
    try {
      const { quoteId } = await call(quoteLead, { id })
      await refreshLeads()
      go(editorPath(documentTypes.priceQuote.id, quoteId))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const failed = (e: unknown) => void banner.error(failureText(t, e))
  return (
    <ReadSheet
      resource={leads}
      record={lead}
      error={error}
      title={<bdi>{lead?.name ?? t('leads.one')}</bdi>}
      actions={(lead, edit) =>
        mayChange && (
          <>
            <Button
              kind="quiet"
              icon={Archive}
              label={t('kit.lists.archive')}
              onPress={() =>
                void moveRecords(leads, [id], 'archive').then(refreshLeads).then(onClose).catch(failed)
              }
            />
            <Button icon={Pencil} onPress={edit}>
              {t('kit.lists.edit')}
            </Button>
            {lead.outcome !== 'lost' && may('documents.draft') && (
              <Button icon={FilePlus2} onPress={() => void startQuote()}>
                {t('leads.quote')}
              </Button>
            )}
            {lead.outcome === 'open' && lost && (
              <Button
                icon={ThumbsDown}
                onPress={() =>
                  show((close) => (
                    <LoseDialog
                      card={{ id, version: lead.version!, name: lead.name }}
                      stageId={lost.id}
                      onClose={close}
                    />
                  ))
                }
              >
                {t('leads.lose.verb')}
              </Button>
            )}
            {lead.outcome !== 'won' && (
              <Button
                kind="primary"
                icon={Trophy}
                onPress={() =>
                  show((close) => (
                    <WinDialog
                      card={{
                        id,
                        version: lead.version!,
                        name: lead.name,
                        company: lead.company ?? '',
                        phone: lead.phone,
                        email: lead.email,
                        sumAgorot: lead.sumAgorot,
                      }}
                      onClose={close}
                    />
                  ))
                }
              >
                {t('leads.win.verb')}
              </Button>
            )}
          </>
        )
      }
      onSaved={refreshLeads}
      onClose={onClose}
    >
      {(lead) => (
        <div className="ld-sheet">
          <Top lead={lead} stages={stages} mayChange={mayChange} />
          <Message id={id} />
          <Twins lead={lead} />
          <Views
            label={t('leads.parts.label')}
            value={part}
            onChange={setPart}
            views={parts.map((one) => ({ key: one, label: t(`leads.parts.${one}`) }))}
          />
          {part === 'facts' && <Facts lead={lead} />}
          {part === 'line' && may('contacts.see') && (
            <Timeline leadId={id} mayAdd={lead.archivedAt === null} />
          )}
          {part === 'tasks' && may('tasks.see') && <TaskList leadId={id} />}
          {part === 'history' && <History id={id} />}
          {part === 'files' && <FilesPanel entity="leads" id={id} mayChange={mayChange} />}
        </div>
      )}
    </ReadSheet>
  )
}

/** How to reach the lead, and its stage; choosing another stage moves the lead. */
function Top({ lead, stages, mayChange }: { lead: Row; stages: readonly LeadStage[]; mayChange: boolean }) {
  const t = useWords()
  const stage = stages.find(({ id }) => id === lead.stageId)
  const open = stages.filter(
    (one) => one.outcome === 'open' && (one.kindId === null || one.kindId === lead.kindId),
  )
  const move = (stageId: string | null) =>
    stageId &&
    void call(moveLead, { id: lead.id, version: lead.version!, stageId })
      .then(refreshLeads)
      .catch((e: unknown) => {
        void refreshLeads()
        banner.error(failureText(t, e))
      })
  return (
    <div className="ld-top">
      <p className="ld-reach">
        {lead.phone && (
          <Button kind="soft" size="s" icon={Phone} href={`tel:${lead.phone.replace(/[^\d+]/g, '')}`}>
            {t('leads.call')}
          </Button>
        )}
        {lead.phone && (
          <Button
            kind="soft"
            size="s"
            icon={MessageCircle}
            onPress={() => void window.open(whatsAppOf(lead.phone!), '_blank', 'noreferrer')}
          >
            WhatsApp
          </Button>
        )}
        {lead.email && (
          <Button kind="soft" size="s" icon={Mail} href={`mailto:${lead.email}`}>
            {t('leads.mail')}
          </Button>
        )}
        {lead.phone && <PhoneCell value={lead.phone} />}
        {lead.email && <EmailCell value={lead.email} />}
        <OutcomePill outcome={lead.outcome ?? 'open'} />
      </p>
      {mayChange && lead.outcome === 'open' ? (
        <ChoiceField
          label={t('leads.fields.stageId')}
          as="list"
          value={lead.stageId}
          onChange={move}
          choices={open.map((one) => ({ value: one.id, label: one.name }))}
        />
      ) : (
        stage && <Dot color={stage.color} name={stage.name} />
      )}
    </div>
  )
}

/** To the phone as WhatsApp wants it: with the country, without signs. */
function whatsAppOf(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `https://wa.me/${digits.startsWith('0') ? `972${digits.slice(1)}` : digits}`
}

/** What the lead wrote when it came. */
function Message({ id }: { id: string }) {
  const t = useWords()
  const { data } = useCall(leadMessage, { id })
  if (!data?.message) return null
  return (
    <blockquote className="ld-message" aria-label={t('leads.message')} dir="auto">
      {data.message}
    </blockquote>
  )
}

/** Who looks like the same person. */
function Twins({ lead }: { lead: Row }) {
  const t = useWords()
  const { data } = useCall(leadTwins, {
    ...(lead.phone ? { phone: lead.phone } : {}),
    ...(lead.email ? { email: lead.email } : {}),
    except: lead.id,
  })
  const rows = (data?.rows ?? []).filter(({ id }) => id !== lead.customerId)
  if (rows.length === 0) return null
  return (
    <Note tone="wait">
      {t('leads.twins')}{' '}
      {rows.map((one, i) => (
        <span key={one.id}>
          {i > 0 && ' · '}
          <Link
            className="link"
            href={
              one.kind === 'customer'
                ? `/invoice/invoiceCustomer/${one.id}/details`
                : `/invoice/invoiceLeadsManager?lead=${one.id}`
            }
          >
            <bdi>{one.name}</bdi>
          </Link>{' '}
          ({t(`leads.twinKind.${one.kind}`)})
        </span>
      ))}
    </Note>
  )
}

function Facts({ lead }: { lead: Row }) {
  const t = useWords()
  const { lang } = useLanguage()
  const session = useSession()
  const kinds = useKinds()
  const own = (lead.own ?? {}) as unknown as Record<string, string | number | boolean | null>
  const fields =
    kinds.find(({ id }) => id === lead.kindId)?.fields.filter(({ id }) => own[id] !== undefined) ?? []
  const facts: [string, string | null | undefined, boolean?][] = [
    ['company', lead.company],
    ['city', lead.city],
    ['sourceId', lead.sourceIdName],
    ['campaign', lead.campaign],
    ['kindId', lead.kindIdName],
    ['categoryId', lead.categoryIdName],
    ['ownerId', lead.ownerIdName],
    [
      'sumAgorot',
      lead.sumAgorot !== null && !session?.HideTotalPrices ? withCurrency(lead.sumAgorot, 'ILS', lang) : null,
      true,
    ],
    ['nextDay', lead.nextDay ? `${formatDay(lead.nextDay)} ${lead.nextText ?? ''}` : lead.nextText],
    ['answerMinutes', lead.answerMinutes === null ? null : clockText(lead.answerMinutes), true],
    ['arrivedAt', lead.arrivedAt ? formatMoment(new Date(lead.arrivedAt)) : null, true],
    ['lostReason', lead.lostReason],
  ]
  return (
    <>
      <dl className="ld-facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value, isFigure]) => (
            <div key={name}>
              <dt>{t(`leads.fields.${name}`)}</dt>
              <dd>{isFigure ? <Num>{value!}</Num> : <bdi>{value}</bdi>}</dd>
            </div>
          ))}
        {fields.map((field) => (
          <div key={field.id}>
            <dt>{field.name}</dt>
            <dd>
              <bdi>{inventedText(t, field, own[field.id] ?? null)}</bdi>
            </dd>
          </div>
        ))}
        {lead.customerId && (
          <div>
            <dt>{t('leads.fields.customerId')}</dt>
            <dd>
              <Link className="link aim" href={`/invoice/invoiceCustomer/${lead.customerId}/details`}>
                <bdi>{lead.customerIdName}</bdi>
              </Link>
            </dd>
          </div>
        )}
        {lead.quoteId && (
          <div>
            <dt>{t('leads.fields.quoteId')}</dt>
            <dd>
              <Link className="link aim" href={`/invoice/preview/${lead.quoteId}`}>
                {lead.quoteIdName || t('leads.draftQuote')}
              </Link>
            </dd>
          </div>
        )}
      </dl>
      {lead.notes && <p className="ld-notes">{lead.notes}</p>}
    </>
  )
}

function History({ id }: { id: string }) {
  const t = useWords()
  const { data, error } = useCall(leadHistory, { id })
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={4} />
  return (
    <ol className="ld-history">
      {data.moves.map((one, i) => (
        <li key={i}>
          <b>
            <bdi>{one.stage}</bdi>
          </b>{' '}
          <span className="hint text-13">
            <Num>{formatMoment(new Date(one.at))}</Num> · <bdi>{one.by ?? t('companies.log.system')}</bdi>
            {one.hours !== null && <> · {t('leads.stayed', { count: one.hours })}</>}
          </span>
        </li>
      ))}
      {data.handovers.map((one, i) => (
        <li key={`h${i}`}>
          {t('leads.handed', { from: one.from ?? t('leads.nobody'), to: one.to ?? t('leads.nobody') })}{' '}
          <span className="hint text-13">
            <Num>{formatMoment(new Date(one.at))}</Num> · <bdi>{one.by ?? t('companies.log.system')}</bdi>
          </span>
        </li>
      ))}
    </ol>
  )
}
