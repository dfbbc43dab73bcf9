use std::{cmp::Ordering, collections::VecDeque};

use super::{Range, Reader, Result, Row, Table, Value};

/// Reads a table in key order, a page at a time.
pub(super) struct Cursor {
    table: &'static Table,
    range: Range,
    page: VecDeque<Row>,
    is_at_end: bool,
}

impl Cursor {
    pub(super) fn new(table: &'static Table) -> Self {
        Self::over(table, Range::default())
    }

    pub(super) fn over(table: &'static Table, range: Range) -> Self {
        Self { table, range, page: VecDeque::new(), is_at_end: false }
    }

    /// Returns the next row without advancing, or `None` at the end.
    pub(super) async fn peek(&mut self, reader: &mut (impl Reader + ?Sized)) -> Result<Option<&Row>> {
        if self.page.is_empty() && !self.is_at_end {
            let rows = reader.page(self.table, &self.range, self.table.page).await?;
            self.is_at_end = rows.len() < self.table.page as usize;
            if let Some(last) = rows.last() {
                self.range.after = Some(last.key(self.table.key).to_vec());
            }
            self.page = rows.into();
        }
        Ok(self.page.front())
    }

    /// Returns the next row and advances.
    pub(super) async fn next(&mut self, reader: &mut (impl Reader + ?Sized)) -> Result<Option<Row>> {
        self.peek(reader).await?;
        Ok(self.page.pop_front())
    }

    /// Returns the buffered rows. Reads the next page if the buffer is empty.
    pub(super) async fn next_page(&mut self, reader: &mut (impl Reader + ?Sized)) -> Result<VecDeque<Row>> {
        self.peek(reader).await?;
        Ok(std::mem::take(&mut self.page))
    }
}

/// The next pair of rows when two tables are compared.
#[derive(Debug)]
pub(super) enum Pair {
    /// The same row on both sides.
    Same(Row),
    Missing(Row),
    Different(Row),
    /// A row that only the target has. Contains its key.
    Extra(Vec<Value>),
}

/// Iterates over both sides of a table in key order.
pub(super) struct Merge {
    source: Cursor,
    target: Cursor,
}

impl Merge {
    pub(super) fn new(table: &'static Table) -> Self {
        Self { source: Cursor::new(table), target: Cursor::new(table) }
    }

    /// Returns the next pair. The caller may write rows up to its key: they are not returned again, because
    /// the target has already been read at least up to that key.
    pub(super) async fn next(
        &mut self,
        source: &mut (impl Reader + ?Sized),
        target: &mut (impl Reader + ?Sized),
    ) -> Result<Option<Pair>> {
        let key = self.source.table.key;
        let order = {
            let (source_row, target_row) = (self.source.peek(source).await?, self.target.peek(target).await?);
            match (source_row, target_row) {
                (None, None) => return Ok(None),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(source_row), Some(target_row)) => source_row.key(key).cmp(target_row.key(key)),
            }
        };
        let source_row = if order.is_le() { self.source.next(source).await? } else { None };
        let target_row = if order.is_ge() { self.target.next(target).await? } else { None };
        Ok(match (source_row, target_row) {
            (Some(source_row), Some(target_row)) if source_row == target_row => Some(Pair::Same(source_row)),
            (Some(source_row), Some(_)) => Some(Pair::Different(source_row)),
            (Some(source_row), None) => Some(Pair::Missing(source_row)),
            (None, Some(target_row)) => Some(Pair::Extra(target_row.key(key).to_vec())),
            (None, None) => None,
        })
    }
}
