import { ArrowLeftRight, Boxes, Factory, Printer, Ruler, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatPrice } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { Link } from 'react-aria-components/Link'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { stockOf, type StockOf } from '../endpoints.ts'
import { AdjustDialog, PartsDialog, ProduceDialog, TransferDialog, UnitsDialog } from './Dialogs.tsx'
import { LabelsDialog } from './LabelsDialog.tsx'
import { manyOf } from './parts.tsx'
import './stock.css'

/**
 * One item in stock: what there is of it and where, and every movement with its paper, what it left and who
 * made it.
 */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data, error } = useCall(stockOf, { id })
  const crumbs = [{ label: t('screens.storage'), href: '/invoice/storage' }]
  if (!data)
    return (
      <>
        <PageHeader title={t('screens.stockProduct')} crumbs={crumbs} />
        {error ? <Note tone="late">{failureText(t, error)}</Note> : <Skeleton lines={8} />}
      </>
    )
  return <Product of={data} crumbs={crumbs} />
}

function Product({ of, crumbs }: { of: StockOf; crumbs: { label: string; href: string }[] }) {
  const t = useWords()
  const may = useCan()('stock.change')
  const [opens, setOpens] = useState<'adjust' | 'transfer' | 'parts' | 'produce' | 'units' | 'labels'>()
  const close = () => setOpens(undefined)
  const many = (quantity: string) => <Num>{manyOf(quantity)}</Num>
  return (
    <>
      <PageHeader
        title={of.name}
        crumbs={crumbs}
        sub={
          <>
            {of.sku && (
              <>
                <Num>{of.sku}</Num> ·{' '}
              </>
            )}
            <Link className="link" href={`/invoice/items/${of.id}`}>
              {t('stock.toItem')}
            </Link>
          </>
        }
        actions={
          may &&
          of.isStocked && (
            <>
              <Button icon={ArrowLeftRight} onPress={() => setOpens('transfer')}>
                {t('stock.transfer.title')}
              </Button>
              <Button kind="primary" icon={SquarePen} onPress={() => setOpens('adjust')}>
                {t('stock.adjust.title')}
              </Button>
            </>
          )
        }
        more={[
          // A label needs something to say.
          ...((of.barcode ?? of.sku)
            ? [
                {
                  key: 'labels',
                  label: t('stock.labels.title'),
                  icon: Printer,
                  onPress: () => setOpens('labels'),
                },
              ]
            : []),
          ...(may
            ? [
                {
                  key: 'parts',
                  label: t('stock.parts.title'),
                  icon: Boxes,
                  onPress: () => setOpens('parts'),
                },
                {
                  key: 'units',
                  label: t('stock.units.title'),
                  icon: Ruler,
                  onPress: () => setOpens('units'),
                },
                ...(of.madeOf === 'recipe'
                  ? [
                      {
                        key: 'produce',
                        label: t('stock.produce.title'),
                        icon: Factory,
                        onPress: () => setOpens('produce'),
                      },
                    ]
                  : []),
              ]
            : []),
        ]}
      />
      <div className="st-stack">
        {!of.isStocked && of.madeOf !== 'kit' && <Note>{t('errors.stock.notStocked')}</Note>}
        <Figures label={t('stock.figures')}>
          <Figure
            label={t('stock.onHand')}
            value={many(of.onHand)}
            unit={of.unit ?? undefined}
            {...(of.minimum && Number(of.onHand) < Number(of.minimum) ? { tone: 'late' as const } : {})}
          />
          <Figure
            label={t('stock.free')}
            value={many(of.free)}
            note={t('stock.reservedNote', { quantity: manyOf(of.reserved) })}
          />
          <Figure
            label={t('stock.onOrder')}
            value={many(of.onOrder)}
            note={t('stock.wayNote', { quantity: manyOf(of.onTheWay) })}
          />
          {of.valueAgorot !== null && (
            <Figure
              label={t('stock.value')}
              amount={of.valueAgorot}
              note={
                of.unitCost === null
                  ? undefined
                  : t('stock.costNote', { cost: formatPrice(parseDecimal4(of.unitCost) ?? 0) })
              }
            />
          )}
        </Figures>
        {(of.places.length > 0 || of.parts.length > 0) && (
          <div className="st-two">
            {of.places.length > 0 && (
              <Card title={t('stock.byPlace')} flush>
                <ul className="st-list">
                  {of.places.map((place) => (
                    <li key={`${place.placeId} ${place.batchId}`}>
                      <span className="what">
                        <bdi>{place.place}</bdi>
                        {place.batch && (
                          <span className="hint text-12">
                            {t('stock.batch')} <Num>{place.batch}</Num>
                            {place.expires && (
                              <>
                                {' '}
                                · {t('stock.expires')} <Num>{formatDay(place.expires)}</Num>
                              </>
                            )}
                          </span>
                        )}
                      </span>
                      {many(place.quantity)}
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {of.parts.length > 0 && (
              <Card title={t(of.madeOf === 'kit' ? 'stock.parts.kit' : 'stock.parts.recipe')} flush>
                <ul className="st-list">
                  {of.parts.map((part) => (
                    <li key={part.itemId}>
                      <span className="what">
                        <Link className="link aim" href={`/invoice/stockproducts/${part.itemId}`}>
                          <bdi>{part.name}</bdi>
                        </Link>
                        <span className="hint text-12">
                          {t('stock.parts.there', { quantity: manyOf(part.onHand) })}
                        </span>
                      </span>
                      {many(part.quantity)}
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </div>
        )}
        <ReportScreen name="stockMovements" bare main fixed={{ item: of.id }} />
      </div>
      {opens === 'adjust' && <AdjustDialog of={of} onClose={close} />}
      {opens === 'transfer' && <TransferDialog item={{ key: of.id, label: of.name }} onClose={close} />}
      {opens === 'parts' && <PartsDialog of={of} onClose={close} />}
      {opens === 'units' && <UnitsDialog of={of} onClose={close} />}
      {opens === 'labels' && <LabelsDialog of={of} onClose={close} />}
      {opens === 'produce' && <ProduceDialog of={of} onClose={close} />}
    </>
  )
}
