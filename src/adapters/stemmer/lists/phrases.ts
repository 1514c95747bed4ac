/**
 * Phrases of requests, and the words that tools use for them, in the form of the thesaurus. A line that begins with
 * "the" has phrases that tools have no word for.
 */
export const phrases = `
create issue : report_a report_the raise_a file_a
create page document : write_up write_down jot_down
multiple batch bulk many : together at_once all_of_these all_of_them all_three all_four several in_one_go
create add memory observation entity knowledge : remember keep_in_mind bear_in_mind note_that note_down don_t_forget learn_that
search memory nodes knowledge : know_about remember_about
the : right_now at_the_moment for_me a_bit of_mine as_well at_all in_general
list directory contents : inside
status working tree : working_copy uncommitted_changes
search query find : look_for search_for hunt_for track_down dig_up look_into find_out figure_out
delete remove : get_rid_of throw_out take_out take_off take_down cut_out
create start : spin_up bring_up
create add upload write : put_into put_in put_on
get read show open : pull_up bring_up go_through check_out
update edit : set_to mark_as mark_it tick_off check_off
fill form type : fill_in fill_out
login authenticate session : log_in sign_in
logout session : log_out sign_out
register create user account : sign_up
navigate goto url : go_to head_to navigate_to
checkout switch branch : go_back back_to switch_to
rollback revert previous : roll_back go_back
rollout deploy : roll_out
stop close : shut_down
backup export read : back_up dump
summarize summary : sum_up
reply comment : write_back get_back_to
assign owner : belongs_to owned_by assigned_to
click : double_click right_click
evaluate : execute
monitor track watch : keep_track keep_an_eye
places nearby search : next_to close_to near_me around_here
created modified info details : how_old
performance speed trace : how_fast
issue create : feature_request bug_report
memory search nodes observations : told_you i_said i_told
the : want_to need_to would_like like_to i_want i_need make_sure in_total at_least there_is
page : tab
file document : spreadsheet presentation
create add task reminder : remind_me remind_us remind_him remind_her
complete close finish task : tick_off check_off cross_off get_done
search memory nodes : you_remember you_know already_know
add memory observation : also_note also_remember note_about remember_about
draft create : do_not_send don_t_send not_send
create filter rule automation : from_now_on every_time each_time
search content : where_is_our where_do_we
append add : at_the_end to_the_end
find filter query : more_than less_than older_than newer_than greater_than at_most
rollout rollback revert : previous_version older_version last_version
list log recent history : last_few last_two last_three last_five last_ten latest_few past_few
list get status : is_running are_running still_running up_and_running
worklog time track : book_hours book_time hours_on hour_on minutes_on spent_on worked_on
get details : story_behind all_about
phone contact : phone_number
update reschedule move : move_to push_back put_off bring_forward pull_forward
automation trigger : every_day every_morning every_evening every_night each_day
dns record : point_to points_to
stop block leave : no_longer not_any_more never_again
stop instances : power_off
send email message : drop_a_line let_know
`;
