import { useState } from 'react'
import { documentTypeById, labelOf } from '#domain/documents/kinds.ts'
import { parseDecimal4, formatDecimal4 } from '#domain/quantity.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { QuantityField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { convert } from './actions.tsx'
import { documentName } from '../words.ts'
import type { DialogOf } from './Dialogs.tsx'
import { TakeList } from './TakeList.tsx'

type Line = DialogOf['document']['lines'][number]

/** How much of each line goes into the next document: all that is left to begin with. */
export function ConvertDialog({ document, type, onClose }: DialogOf & { type: number }) {
  const t = useWords()
  const lines = document.lines
  const textOf = (line: Line) => line.leftFor.find((one) => one.type === type)?.quantity ?? null
  const leftOf = (line: Line): number => Math.max(0, parseDecimal4(textOf(line) ?? '0') ?? 0)
  const [taken, setTaken] = useState<ReadonlyMap<number, string | null>>(
    () => new Map(lines.filter((line) => leftOf(line) > 0).map((line) => [line.line, textOf(line)])),
  )
  const [busy, setBusy] = useState(false)
  const set = (line: number, quantity: string | null | undefined) =>
    setTaken((before) => {
      const next = new Map(before)
      if (quantity === undefined) next.delete(line)
      else next.set(line, quantity)
      return next
    })
  const isTooMuch = (line: Line) => (parseDecimal4(taken.get(line.line) ?? '0') ?? 0) > leftOf(line)
  const chosen = lines.flatMap((line) => {
    const quantity = taken.get(line.line)
    return quantity && (parseDecimal4(quantity) ?? 0) > 0 ? [{ line: line.line, quantity }] : []
  })
  const isWhole = lines.every((line) => leftOf(line) === 0 || taken.get(line.line) === textOf(line))
  const nothing = lines.every((line) => leftOf(line) === 0)
  const run = async () => {
    setBusy(true)
    const done = await convert(t, { id: document.id, type, ...(isWhole ? {} : { lines: chosen }) })
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      size="l"
      title={t('documents.make.title', {
        type: t(`documents.types.${documentTypeById(type)}`),
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            isDisabled={chosen.length === 0 || lines.some(isTooMuch)}
            onPress={() => void run()}
          >
            {t(`documents.make.${documentTypeById(type)}`)}
          </Button>
        </>
      }
    >
      {nothing ? (
        <Note tone="done">{t('documents.make.nothing')}</Note>
      ) : (
        <TakeList
          label={t('documents.make.lines')}
          head={t('documents.make.quantityHead')}
          onAll={() =>
            setTaken(
              new Map(lines.filter((line) => leftOf(line) > 0).map((line) => [line.line, textOf(line)])),
            )
          }
        >
          {document.discount &&
            'agorot' in document.discount &&
            lines.some((line) => taken.get(line.line) !== line.quantity) && (
              <Note>
                {t('documents.make.discountShared')}{' '}
                <Money amount={document.discount.agorot} currency={document.currency} />
              </Note>
            )}
          {lines.map((line) => {
            const left = leftOf(line)
            const isOn = taken.has(line.line)
            return (
              <div key={line.line} data-off={left === 0 ? '' : undefined}>
                <FlagField
                  hideLabel
                  label={t('documents.make.take', { text: line.description })}
                  value={isOn}
                  disabled={left === 0}
                  onChange={(on) => set(line.line, on ? textOf(line) : undefined)}
                />
                <span className="grow">
                  <span className="n">
                    <bdi>{line.description}</bdi>
                  </span>
                  <span className="s">
                    {left === 0 ? (
                      t('documents.make.allTaken')
                    ) : (
                      <>
                        {t('documents.make.left')} <Num>{formatDecimal4(left)}</Num>{' '}
                        {t('documents.closes.of')}{' '}
                        <Num>{formatDecimal4(parseDecimal4(line.quantity) ?? 0)}</Num>{' '}
                        {line.unit && <bdi>{line.unit}</bdi>}
                      </>
                    )}
                  </span>
                </span>
                <div className="w-24">
                  <QuantityField
                    hideLabel
                    label={t('documents.make.quantity', { text: line.description })}
                    name="take"
                    value={taken.get(line.line) ?? null}
                    disabled={left === 0}
                    onChange={(quantity) => set(line.line, quantity)}
                    error={isTooMuch(line) ? t('documents.make.tooMuch') : undefined}
                  />
                </div>
              </div>
            )
          })}
        </TakeList>
      )}
    </Dialog>
  )
}
