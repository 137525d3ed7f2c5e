import { CircleCheck, Download, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import {
  capturePurchase,
  getPurchase,
  getPurchaseFile,
  releasePurchase,
  type PurchaseAnswer,
} from '../endpoints.ts'
import './editor.css'
import { PurchaseStatus, refreshPages } from './says.tsx'

/** Who paid, for what, the form and the consents; a hold is captured or released. */
export function PurchaseSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error, refetch } = useCall(getPurchase, { id }, { staleTime: 0 })
  const [deed, setDeed] = useState<'capture' | 'release'>()
  const canTake = data?.canCapture === true && may('payPages.capture') && !hides
  return (
    <>
      <SideSheet
        isOpen
        onClose={onClose}
        title={data ? <bdi>{data.payer.name}</bdi> : t('payPurchases.one')}
        actions={
          canTake && (
            <>
              <Button kind="primary" icon={CircleCheck} onPress={() => setDeed('capture')}>
                {t('payPurchases.capture')}
              </Button>
              <Button icon={Undo2} onPress={() => setDeed('release')}>
                {t('payPurchases.release')}
              </Button>
            </>
          )
        }
      >
        {error && !data ? (
          <Failed error={error} />
        ) : data ? (
          <Told of={data} hides={hides} />
        ) : (
          <Skeleton lines={8} />
        )}
      </SideSheet>
      {deed === 'capture' && data && (
        <CaptureDialog of={data} onClose={() => setDeed(undefined)} onDone={() => void refetch()} />
      )}
      {deed === 'release' && data && (
        <Question
          isOpen
          onClose={() => setDeed(undefined)}
          title={t('payPurchases.releaseTitle')}
          verb={t('payPurchases.release')}
          onConfirm={async () => {
            try {
              await call(releasePurchase, { id })
              await refreshPages()
            } catch (e) {
              banner.error(failureText(t, e))
            }
          }}
        >
          {t('payPurchases.releaseText')}
        </Question>
      )}
    </>
  )
}

function CaptureDialog({
  of,
  onClose,
  onDone,
}: {
  of: PurchaseAnswer
  onClose: () => void
  onDone: () => void
}) {
  const t = useWords()
  const [sum, setSum] = useState<number | null>(of.sumAgorot)
  return (
    <FormDialog
      title={t('payPurchases.captureTitle')}
      verb={t('payPurchases.capture')}
      names={['amountAgorot']}
      onClose={onClose}
      onSubmit={async () => {
        await call(capturePurchase, { id: of.id, amountAgorot: sum ?? 0 })
        await refreshPages()
        onDone()
        onClose()
      }}
    >
      {(error) => (
        <MoneyField
          label={t('payPurchases.captureSum')}
          hint={t('payPurchases.captureHint')}
          value={sum}
          onChange={setSum}
          {...error('amountAgorot', sum)}
        />
      )}
    </FormDialog>
  )
}

function Told({ of, hides }: { of: PurchaseAnswer; hides: boolean }) {
  const t = useWords()
  const save = useFile()
  const fact = (label: string, value: ReactNode) =>
    value ? (
      <div>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ) : null
  return (
    <div className="pe-stack">
      <p className="pe-line">
        <PurchaseStatus of={of.state} /> {!hides && <Money amount={of.takenAgorot ?? of.sumAgorot} />}
      </p>
      {of.state === 'surplus' && <Note tone="late">{t('payPurchases.surplusText')}</Note>}
      <ul className="pe-lines">
        {of.lines.map((line, i) => (
          <li key={i}>
            <span>
              <bdi>{line.name}</bdi>
              {line.quantity > 1 && (
                <>
                  {' × '}
                  <Num>{line.quantity}</Num>
                </>
              )}
            </span>
            {!hides && <Money amount={line.quantity * line.priceAgorot - line.discountAgorot} />}
          </li>
        ))}
      </ul>
      <dl className="pe-facts">
        {fact(
          t('payPurchases.fields.pageId'),
          <Link className="link aim" href={`/invoice/paypages/${of.page.id}`}>
            <bdi>{of.page.title}</bdi>
          </Link>,
        )}
        {fact(t('payPurchases.fields.createdAt'), <Num>{formatMoment(new Date(of.createdAt))}</Num>)}
        {fact(t('payPurchases.fields.email'), of.payer.email && <bdi className="num">{of.payer.email}</bdi>)}
        {fact(t('payPurchases.fields.phone'), of.payer.phone && <bdi className="num">{of.payer.phone}</bdi>)}
        {fact(t('payPurchases.taxId'), of.payer.taxId && <Num>{of.payer.taxId}</Num>)}
        {fact(t('payPurchases.fields.coupon'), of.coupon && <bdi className="num">{of.coupon}</bdi>)}
        {fact(
          t('payPurchases.fields.heldUntil'),
          of.heldUntil && <Num>{formatMoment(new Date(of.heldUntil))}</Num>,
        )}
        {of.answers.map(({ label, value, fileId }, i) => (
          <div key={i}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            {/* Amounts cannot be removed from a scan. */}
            {fileId && !hides ? (
              <dd>
                <Button
                  size="s"
                  icon={Download}
                  onPress={() => void save(getPurchaseFile, { id: of.id, fileId })}
                >
                  <bdi>{value}</bdi>
                </Button>
              </dd>
            ) : (
              <dd dir="auto">{value}</dd>
            )}
          </div>
        ))}
        {fact(t('payPurchases.site'), of.site && <bdi className="num">{of.site}</bdi>)}
        {fact(t('payPurchases.source'), of.source && <bdi>{of.source}</bdi>)}
      </dl>
      <p className="pe-line">
        {of.paper && (
          <Button size="s" href={pagePath(of.paper.type, of.paper.id)}>
            {documentName(t, of.paper.type, of.paper.number)}
          </Button>
        )}
        {of.chargeId && of.state !== 'begun' && of.state !== 'freed' && (
          <Button size="s" href={`/invoice/historypayments/${of.chargeId}`}>
            {t('payPurchases.charge')}
          </Button>
        )}
        {of.orderId && (
          <Button size="s" href={`/invoice/retainers/${of.orderId}`}>
            {t('payPurchases.order')}
          </Button>
        )}
      </p>
      {of.terms && (
        <details>
          <summary>{t('payPurchases.agreed')}</summary>
          <p dir="auto" className="whitespace-pre-line">
            {of.terms}
          </p>
        </details>
      )}
    </div>
  )
}
