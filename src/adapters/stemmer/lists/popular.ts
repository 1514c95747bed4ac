/** Words of requests for the servers that most people use, in the form of the thesaurus. */
export const popular = `
direct message private send : dm dms privately pm
create directory folder : mkdir
list directory contents : ls dir
read file text contents : cat less
move rename file : mv
copy file duplicate : cp clone_the
delete file remove : rm rmdir unlink
search files pattern : grep glob wildcard
file info metadata permissions modified : stat chmod owner_of
directory tree recursive structure : folder_structure project_structure structure_of
list allowed directories : may_access can_access access_to_which allowed_to_read
page content snapshot text : current_page web_page this_page
navigate url open page : open_the_site website_at
navigate back previous : previous_page page_before last_page
press key keyboard : hit_enter hit press_enter escape_key
type text element : login_field into_the_field text_field text_box search_box
select option dropdown : drop_down pick choose_from
resize window size : wide pixels_wide full_screen viewport smaller_window
dialog accept dismiss : dialogue alert_box popup_window
evaluate javascript expression : in_the_console run_js js
upload file multiple : attach_my attach_the attach_a
drag drop element : drag_the drag_and_drop slide_the
wait text appear disappear : spinner has_loaded finished_loading until_the
console messages : js_errors console_errors
user search profile : handle username nickname account_of
channel : room rooms
archive channel close : close_down
invite channel user : join_the bring_in add_them
channel history messages recent : catch_me_up discussed been_said chatter talked_about going_on missed
reaction emoji add : thumbs_up thumbs_down smiley heart_it like_it
reaction emoji remove : take_back un_react my_thumbs
status set text emoji : on_vacation in_a_meeting away busy out_of_office
schedule message later : tomorrow_morning send_later at_9
comment add issue pull_request : remark leave_a_remark leave_a_note leave_a_comment weigh_in
share file permission person email : edit_rights view_rights edit_access view_access let_view let_edit give_access grant_access can_edit can_view
permission remove revoke access : from_seeing no_longer_see stop_sharing unshare take_away_access lock_out
list permissions access : who_can_see who_can_edit shared_with who_has_access
upload file folder : put_into_drive save_to_drive into_my_drive put_this
update cells values spreadsheet : google_sheet the_totals fill_the_cells
download attachment save : came_with attached
filter automatically label : automatically file_mails sort_mails
aggregate group : group_by group_the
create document : blank_document google_doc new_doc
append blocks paragraph page : add_a_paragraph at_the_bottom add_a_section
update block text : typo wording
update database columns : add_a_column new_column extra_column
list comments unresolved : remarked feedback_on comments_on people_said
assign ticket issue teammate : hand_over hand_it give_it_to delegate reassign take_over
create sub_ticket subtask split : smaller_ones break_this break_into smaller_pieces
workload teammate open : too_much too_many_tasks overloaded busy_with capacity most_work
list my tickets assigned : on_my_plate supposed_to_work should_i_do assigned_to_me my_work my_tasks
cycle sprint list : iteration cycle
project create initiative : initiative
execute sql statement changes data : set_all update_all delete_rows insert_rows inactive_accounts wipe_rows older_than_a
query sql read_only : how_many_users how_many_orders from_the_database newest_orders select_the
explain query plan execution : analyze_this_query query_slow performance_of_the
table sizes disk : how_large how_big_is storage_used take_the_most eat
connection active lock : how_many_clients connected_to blocking stuck
describe table columns keys : structure_of_the table_structure schema_of_the
list payments charge : charges charges_made payment_history paid_so_far payments_received transactions
refund create payment : money_back give_back pay_back
payment_link create : payment_page pay_page checkout_page someone_can_pay
invoice finalize send : draft_bill send_the_bill issue_the_bill
invoice list status : overdue_invoices unpaid not_been_paid outstanding
coupon list : discounts_active which_discounts
product create : catalogue catalog_item
customer update details : billing_address
describe pod resource : crash_loop image_pull oom_killed evicted pending_pod not_ready
patch resource field : image_tag change_the_image environment_variable
rollout undo : roll_back undo_the_deployment
node cordon drain : out_of_rotation maintenance
apply manifest yaml : deploy_this this_yaml
context current cluster set : switch_cluster which_cluster production_cluster
issue error unresolved : crashes crash exceptions
event error search count : how_many_errors error_count
log call phone contact : phoned called_the rang
company activity history : done_with been_in_touch lately_with relationship_with interactions
deal create pipeline : opportunity worth
deal update stage : closed_won closed_lost won
note engagement create timeline : customer_record note_to_the
design variables style : fonts colours typography
image download svg png : icons
screenshot node : frame_as_picture
job logs workflow : ci_log log_of_the build_log
pull_request list open : waiting_for_review to_be_merged in_review
code search usages : usages where_is_used references
event update reschedule : push_my move_my standup
event search query : next_meeting_with meeting_with
freebusy availability : both_available free_time is_free
respond event accept decline : rsvp
slow queries statements : longest takes_long take_longest long_running
execute sql statement : insert_a insert_into delete_from
rollout undo rollback : undo
refund : reverse_the charged_twice
message direct send : ask_him ask_her whether_he whether_she
query database rows filter : still_open tasks_are
upload file : back_up_this back_up_the backup_this
explain query plan : use_an_index uses_an_index use_the_index
describe pod events : won_t_start not_start doesn_t_start
search issues errors : new_errors errors_since recent_errors
search events performance transactions : slowest_transactions slow_transactions
navigate url page : load_the_page load_localhost
transitions status available : which_statuses possible_statuses can_go_to
update properties page checkbox : tick_the untick check_the_box
archive trash : delete_the throw_away
update state ticket issue : in_review in_progress to_done
search repositories topic : repos_about projects_about
search issues : ever_reported already_reported known_bug
search tickets issues assigned : tickets_assigned issues_assigned
search events text : did_i_last when_did_i
`;
