import { Copy } from 'lucide-react'
import { useState } from 'react'
import { call, queryClient, putAnswer } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Qr } from '#kit/web/parts/Qr.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getTemplate, openTemplate, type TemplateAnswer } from '../endpoints.ts'

/** The link by which anybody may sign a template, and its limits. */
export function OpenDialog({ of, onClose }: { of: TemplateAnswer; onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const [isOpen, setOpen] = useState(of.open.isOpen)
  const [most, setMost] = useState(of.open.most)
  const [each, setEach] = useState<number | null>(of.open.each)
  const [until, setUntil] = useState(of.open.until)
  const [identity, setIdentity] = useState(of.open.identity)
  const save = async () => {
    const made = await call(openTemplate, { id: of.id, isOpen, most, each: each ?? 1, until, identity })
    putAnswer(getTemplate, { id: of.id }, made)
    void queryClient.invalidateQueries({ queryKey: ['signTemplates.list'] })
    onClose()
    banner.success(t(isOpen ? 'signing.open.opened' : 'signing.open.closed'))
  }
  return (
    <FormDialog
      title={t('signing.open.title')}
      verb={t('signing.editor.save')}
      names={['most', 'each', 'until']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <FlagField
            label={t('signing.open.isOpen')}
            hint={t('signing.open.hint')}
            value={isOpen}
            onChange={setOpen}
          />
          {isOpen && (
            <>
              <div className="sg-two">
                <WholeField
                  label={t('signing.open.most')}
                  value={most}
                  optional
                  onChange={setMost}
                  {...refusal('most', most)}
                />
                <WholeField
                  label={t('signing.open.each')}
                  value={each}
                  onChange={setEach}
                  {...refusal('each', each)}
                />
              </div>
              <DayField
                label={t('signing.open.until')}
                value={until}
                optional
                onChange={setUntil}
                {...refusal('until', until)}
              />
              <ChoiceField
                label={t('signing.send.identity')}
                value={identity}
                onChange={(next) => setIdentity(next ?? 'link')}
                choices={(['link', 'code'] as const).map((value) => ({
                  value,
                  label: t(`signing.identity.${value}`),
                }))}
              />
            </>
          )}
          {of.open.isOpen && (
            <div className="sg-stack">
              <p className="hint">{t('signing.open.used', { count: of.open.used })}</p>
              <p className="sg-chain text-13">
                <Num>{of.open.url}</Num>
              </p>
              <span className="sg-row">
                <Button icon={Copy} onPress={() => copy(of.open.url)}>
                  {t('signing.copyLink')}
                </Button>
              </span>
              <Qr text={of.open.url} label={t('signing.qr')} />
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}
