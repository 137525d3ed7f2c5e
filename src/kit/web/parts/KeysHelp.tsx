import { useWords } from '../words/words.tsx'
import { Dialog } from './Dialog.tsx'
import { Kbd } from './Kbd.tsx'
import type { KeyGroup } from './keyGroup.ts'

/** What `?` shows: the keys of everywhere, of lists, and those of the page. */
export function KeysHelp({
  isOpen,
  onClose,
  groups = [],
}: {
  isOpen: boolean
  onClose: () => void
  groups?: readonly KeyGroup[]
}) {
  const t = useWords()
  const common: KeyGroup[] = [
    {
      title: t('kit.keys.everywhere'),
      keys: [
        { keys: 'Ctrl K', does: t('kit.keys.palette') },
        { keys: 'N', does: t('kit.keys.new') },
        { keys: ['Ctrl S', 'Ctrl ↵'], does: t('kit.keys.save') },
        { keys: '?', does: t('kit.shell.help') },
        { keys: ['?', '?'], does: t('kit.keys.help') },
        { keys: 'Esc', does: t('kit.keys.close') },
      ],
    },
    {
      title: t('kit.keys.lists'),
      keys: [
        { keys: ['↑', '↓'], does: t('kit.keys.move') },
        { keys: '↵', does: t('kit.keys.open') },
        { keys: 'Space', does: t('kit.keys.select') },
        { keys: ['Shift ↑', '↓'], does: t('kit.keys.range') },
        { keys: 'Shift F10', does: t('kit.keys.rowMenu') },
        { keys: '/', does: t('kit.keys.filter') },
      ],
    },
  ]
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="l" title={t('kit.keys.title')}>
      <div className="k-keys pt-3">
        {[...groups, ...common].map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map((one) => (
                <div key={one.does}>
                  <dt>{one.does}</dt>
                  <dd>
                    {[one.keys].flat().map((key, n) => (
                      <Kbd key={`${n}${key}`} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
