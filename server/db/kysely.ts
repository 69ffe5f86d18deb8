// Typed SQL: Kysely as a builder only. Queries are compiled here and run by our own synchronous `Database`.
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  DummyDriver,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  Kysely,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  type QueryId,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'
import type { Tables } from './tables.ts'

export const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * Confines every query to one realm: whatever tables it reads, changes or fills, it sees and makes rows of this
 * realm only. What cannot be confined is refused when the query is compiled.
 */
export function realmScope(realmId: number, isRealmTable: (table: string) => boolean): KyselyPlugin {
  const scope = new RealmScope(realmId, isRealmTable)
  return {
    transformQuery: ({ node, queryId }) => {
      if (!confinable.has(node.kind)) throw new TypeError(`A ${node.kind} cannot be confined to a realm`)
      return scope.confine(node, queryId)
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}

const confinable = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'RawNode', // refused in `transformRaw` where it reads or writes a table
])
/** Nodes that hold no query. To copy them, as the transformer does by default, costs more than all the rest. */
const leaves = new Set([
  'ColumnNode',
  'IdentifierNode',
  'OperatorNode',
  'PrimitiveValueListNode',
  'ReferenceNode',
  'SelectAllNode',
  'TableNode',
  'ValueNode',
])
const realmColumn = 'realm_id'

class RealmScope extends OperationNodeTransformer {
  readonly #realmId: number
  readonly #isRealmTable: (table: string) => boolean
  /** The names that WITH clauses around the current place have given to queries, outermost first. */
  #withNames: ReadonlySet<string>[] = []
  /** By the name that a query has for the table; there are only as many as the program's text has. */
  readonly #realmConditions = new Map<string, OperationNode>()
  /** A query put into another one has been through here already. */
  readonly #confined = new WeakSet<OperationNode>()

  constructor(realmId: number, isRealmTable: (table: string) => boolean) {
    super()
    this.#realmId = realmId
    this.#isRealmTable = isRealmTable
  }

  confine<T extends OperationNode>(node: T, queryId: QueryId): T {
    try {
      return this.transformNode(node, queryId)
    } finally {
      // A refused query throws in the middle of the tree; the next must not inherit its surroundings.
      this.nodeStack.length = 0
      this.#withNames = []
    }
  }

  override transformNode<T extends OperationNode | undefined>(node: T, queryId?: QueryId): T {
    return !node || leaves.has(node.kind) ? node : super.transformNode(node, queryId)
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    if (this.#confined.has(node)) return node
    return this.#inside(node.with, () => {
      const conditions = this.#conditions(node.from?.froms)
      const select = super.transformSelectQuery(node, queryId)
      const confined = { ...select, where: this.#where(select.where, conditions) }
      this.#confined.add(confined)
      return confined
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    return this.#inside(node.with, () => {
      this.#refuseMove(node.updates)
      const conditions = [...this.#targetCondition(node.table), ...this.#conditions(node.from?.froms)]
      const query = super.transformUpdateQuery(node, queryId)
      return { ...query, where: this.#where(query.where, conditions) }
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    return this.#inside(node.with, () => {
      const [target, ...others] = node.from.froms
      const conditions = [
        ...this.#targetCondition(target),
        ...this.#conditions(others),
        ...this.#conditions(node.using?.tables),
      ]
      const query = super.transformDeleteQuery(node, queryId)
      return { ...query, where: this.#where(query.where, conditions) }
    })
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    return this.#inside(node.with, () => {
      const query = super.transformInsertQuery(node, queryId)
      const table = node.into?.table.identifier.name
      if (!node.into || !table || !this.#isRealmTable(table)) return query
      if (node.replace || node.orAction?.action.toLowerCase() === 'replace') {
        throw new TypeError(`REPLACE INTO ${table} could remove another realm's row: use ON CONFLICT`)
      }
      return { ...query, ...this.#insertedRows(query, table), onConflict: this.#onConflict(query, table) }
    })
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const join = super.transformJoin(node, queryId)
    const [condition] = this.#conditions([node.table])
    if (!condition) return join
    if (!['InnerJoin', 'LeftJoin', 'CrossJoin'].includes(node.joinType)) {
      // Its ON clause does not keep rows out of the result.
      throw new TypeError(`A ${node.joinType} cannot be confined to a realm: use a left join`)
    }
    return { ...join, on: OnNode.create(both(join.on?.on, condition)) }
  }

  /** Text that reads or writes a table by itself would escape: it belongs into hand-written SQL. */
  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const text = node.sqlFragments.join('?').replaceAll(/\bdistinct\s+from\b/gi, '')
    if (/\b(from|join|into|update)\b|\bin\s+["\w]/i.test(text) || node.parameters.some(TableNode.is)) {
      throw new TypeError(`A fragment of SQL cannot name tables: ${text}`)
    }
    return super.transformRaw(node, queryId)
  }

  #inside<T>(clause: WithNode | undefined, transform: () => T): T {
    if (!clause) return transform()
    const outer = this.#withNames
    const names = clause.expressions.map(({ name }) => name.table.table.identifier.name.toLowerCase())
    this.#withNames = [...outer, new Set(names)]
    const result = transform()
    this.#withNames = outer
    return result
  }

  /** One condition for each realm's table among what a query reads. Subqueries look after themselves. */
  #conditions(sources: readonly OperationNode[] = []): OperationNode[] {
    return sources.flatMap((source) => {
      const { table, name } = read(source)
      if (!table || !name) return []
      const { schema, identifier } = table.table
      const named = identifier.name.toLowerCase()
      if (!schema && this.#withNames.some((names) => names.has(named))) return []
      return this.#isRealmTable(named) ? [this.#ofRealm(name)] : []
    })
  }

  /** The table to be changed is a real one, even where a WITH clause uses its name. */
  #targetCondition(target: OperationNode | undefined): OperationNode[] {
    const { table, name } = target ? read(target) : {}
    if (!table || !name) throw new TypeError('A query that changes rows must name one table')
    return this.#isRealmTable(table.table.identifier.name.toLowerCase()) ? [this.#ofRealm(name)] : []
  }

  #ofRealm(table: string): OperationNode {
    let condition = this.#realmConditions.get(table)
    if (!condition) {
      const column = ReferenceNode.create(ColumnNode.create(realmColumn), TableNode.create(table))
      condition = BinaryOperationNode.create(
        column,
        OperatorNode.create('='),
        ValueNode.create(this.#realmId),
      )
      this.#realmConditions.set(table, condition)
    }
    return condition
  }

  #where(where: WhereNode | undefined, conditions: readonly OperationNode[]): WhereNode | undefined {
    if (conditions.length === 0) return where
    return WhereNode.create(both(where?.where, conditions.reduce(AndNode.create)))
  }

  #insertedRows(query: InsertQueryNode, table: string): Partial<InsertQueryNode> {
    const column = ColumnNode.create(realmColumn)
    const { values, columns = [] } = query
    if (query.defaultValues) {
      const values = ValuesNode.create([PrimitiveValueListNode.create([this.#realmId])])
      return { defaultValues: false, columns: [column], values }
    }
    const at = columns.findIndex((each) => isRealmColumn(each))
    if (values && ValuesNode.is(values)) {
      const rows = values.values.map((row) => this.#insertedRow(row, at, table))
      return { columns: at < 0 ? [...columns, column] : columns, values: ValuesNode.create(rows) }
    }
    if (values && SelectQueryNode.is(values) && columns.length > 0 && at < 0) {
      return { columns: [...columns, column], values: this.#selectedRows(values) }
    }
    throw new TypeError(`INSERT INTO ${table} … SELECT must list its columns and leave ${realmColumn} out`)
  }

  #insertedRow(row: ValueListNode | PrimitiveValueListNode, at: number, table: string) {
    if (ValueListNode.is(row)) {
      if (at < 0) return ValueListNode.create([...row.values, ValueNode.create(this.#realmId)])
      const given = row.values[at]
      // A row of several that leaves the column out has a default there.
      if (given?.kind !== 'DefaultInsertValueNode') this.#refuseOther(given, table)
      return ValueListNode.create(row.values.with(at, ValueNode.create(this.#realmId)))
    }
    if (at < 0) return PrimitiveValueListNode.create([...row.values, this.#realmId])
    this.#refuseOther(ValueNode.create(row.values[at]), table)
    return row
  }

  #selectedRows(query: SelectQueryNode): SelectQueryNode {
    const selected = SelectQueryNode.cloneWithSelections(query, [
      SelectionNode.create(ValueNode.create(this.#realmId) as never),
    ])
    const setOperations = query.setOperations?.map((operation) => {
      if (!SelectQueryNode.is(operation.expression)) throw new TypeError('Only queries can be combined')
      return { ...operation, expression: this.#selectedRows(operation.expression) }
    })
    return setOperations ? { ...selected, setOperations } : selected
  }

  /** The row that an upsert finds in its way may be another realm's: then nothing happens. */
  #onConflict({ onConflict }: InsertQueryNode, table: string): InsertQueryNode['onConflict'] {
    if (!onConflict?.updates) return onConflict
    this.#refuseMove(onConflict.updates)
    return { ...onConflict, updateWhere: this.#where(onConflict.updateWhere, [this.#ofRealm(table)]) }
  }

  #refuseMove(updates: readonly ColumnUpdateNode[] = []): void {
    for (const { column, value } of updates) {
      if (isRealmColumn(column)) this.#refuseOther(value, 'a row')
    }
  }

  #refuseOther(value: OperationNode | undefined, what: string): void {
    if (value && ValueNode.is(value) && value.value === this.#realmId) return
    throw new TypeError(`${what} cannot be given a ${realmColumn} other than ${this.#realmId}`)
  }
}

/** The table that a source of rows stands for, and the name by which the query calls it. */
function read(source: OperationNode): { table?: TableNode; name?: string } {
  if (TableNode.is(source)) return { table: source, name: source.table.identifier.name }
  const inner = AliasNode.is(source) ? source.node : source
  if (RawNode.is(inner) && !/^\s*\w+\s*\(/.test(inner.sqlFragments.join('?'))) {
    throw new TypeError('A fragment of SQL can be read from only as a function, like json_each(…)')
  }
  if (!AliasNode.is(source) || !TableNode.is(inner)) return {}
  if (!IdentifierNode.is(source.alias)) throw new TypeError('An alias must be a plain name')
  return { table: inner, name: source.alias.name }
}

function isRealmColumn(node: OperationNode): boolean {
  const column = ReferenceNode.is(node) ? node.column : node
  return ColumnNode.is(column) && column.column.name.toLowerCase() === realmColumn
}

/** `first` in parentheses, because a fragment of SQL in it may hold an OR that would undo the second. */
function both(first: OperationNode | undefined, second: OperationNode): OperationNode {
  return first ? AndNode.create(ParensNode.create(first), second) : second
}
