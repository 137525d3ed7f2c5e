import type { Resource } from '#kit/describe/resource.ts'
import { categories } from './categories.ts'

interface CategoryTree {
  resource: Resource<any>
  /** What is sorted by it, in words. */
  word: string
}

const trees: CategoryTree[] = [{ resource: categories, word: 'items.title' }]

/** Called by features that sort their own things by a tree of categories. */
export const registerCategoryTree = (tree: CategoryTree): void => void trees.push(tree)

/** Every tree there is. */
export const categoryTrees = (): readonly CategoryTree[] => trees
