import { EditorScreen } from './Editor.tsx'

/** What is bought: an order, goods that came, an invoice written in the supplier's stead. */
export const Screen = () => <EditorScreen side="purchases" />
